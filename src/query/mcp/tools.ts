import type { DescMethodUnary } from '@bufbuild/protobuf'
import { AlertsService } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import { CohortsService } from '../../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { DictionaryService } from '../../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { WarningsService } from '../../contract/gen/millrace/ingest/v1/warnings_service_pb.js'
import { AnnotationsService } from '../../contract/gen/millrace/library/v1/annotations_service_pb.js'
import { SavedInsightsService } from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import { ActorsService } from '../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { GoalsService } from '../../contract/gen/millrace/web/v1/goals_service_pb.js'
import { WebAnalyticsService } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { ActivityService } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { InsightsService } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'

/** The name of a tool. */
export type ToolName =
  | 'query_insights'
  | 'list_actors'
  | 'list_cohorts'
  | 'list_cohort_members'
  | 'list_user_cohorts'
  | 'list_saved_insights'
  | 'list_annotations'
  | 'list_alerts'
  | 'list_dictionary_events'
  | 'get_dictionary_event'
  | 'list_dictionary_properties'
  | 'list_ingestion_warnings'
  | 'query_web_overview'
  | 'query_web_table'
  | 'query_web_realtime'
  | 'list_goals'
  | 'get_insights_filter_schema'
  | 'get_insights_property_values'
  | 'get_activity_feed'
  | 'explore_events'
  | 'get_activity_filter_schema'
  | 'get_activity_property_values'
  | 'get_activity_heatmap'
  | 'get_profile_stats'
  | 'get_profile'
  | 'get_profile_by_external_id'
  | 'get_deletion_request'

/** A method exposed as a tool. */
export interface ToolEntry {
  /** The method to invoke: the arguments are its request, and the result is its response. */
  readonly method: DescMethodUnary
  readonly title: string
  /** Purpose, by which a model selects the tool; the schema describes the arguments. */
  readonly purpose: string
  /** Arguments that are valid in every project, the simplest first. */
  readonly examples: readonly [object, ...object[]]
}

const DAY = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
const MONTH = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }

/** The unary methods that only read. */
export const TOOLS = {
  query_insights: {
    method: InsightsService.method.query,
    title: 'Query insights',
    purpose:
      'Computes one insight over events or sessions. Look up event kinds and property keys first. $channel belongs to the event: to attribute events to the channel of their session or user, give the breakdown or filter the source SESSION_ENTRY or FIRST_TOUCH. A funnel counts users per step; retention returns percentages of each cohort per bucket. Results are exact and omit zeros.',
    examples: [
      {
        spec: {
          insightType: 'INSIGHT_TYPE_TRENDS',
          events: [{ event: { kind: 'page_view' }, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }],
          breakdowns: [{ property: '$channel', source: 'PROPERTY_SOURCE_SESSION_ENTRY' }],
        },
        timeRange: DAY,
        granularity: 'GRANULARITY_HOUR',
      },
      {
        spec: {
          insightType: 'INSIGHT_TYPE_FUNNEL',
          events: [{ event: { kind: 'signup' } }, { event: { kind: 'purchase' } }],
          conversionWindow: '604800s',
        },
        timeRange: MONTH,
        granularity: 'GRANULARITY_DAY',
      },
      {
        spec: {
          insightType: 'INSIGHT_TYPE_RETENTION',
          events: [{ event: { kind: 'signup' } }, { event: { kind: 'page_view' } }],
        },
        timeRange: MONTH,
        granularity: 'GRANULARITY_WEEK',
      },
    ],
  },
  list_actors: {
    method: ActorsService.method.list,
    title: 'Users behind a number',
    purpose:
      'Lists the users behind a point of a query_insights answer: a bucket, funnel step or drop-off, retention cell, lifecycle state, number of active buckets, node or link of a user flow, or row. Pass the same query.',
    examples: [
      {
        query: {
          spec: {
            insightType: 'INSIGHT_TYPE_FUNNEL',
            events: [{ event: { kind: 'signup' } }, { event: { kind: 'purchase' } }],
          },
          timeRange: MONTH,
          granularity: 'GRANULARITY_DAY',
        },
        point: { funnel: { step: 2, outcome: 'OUTCOME_DROPPED' } },
      },
    ],
  },
  list_cohorts: {
    method: CohortsService.method.list,
    title: 'Cohorts',
    purpose:
      'Lists cohorts, named sets of users, with definitions. query_insights takes their ids: cohorts filters, breakdownCohortIds compares.',
    examples: [{}],
  },
  list_cohort_members: {
    method: CohortsService.method.listMembers,
    title: 'Users of a cohort',
    purpose: 'Lists the users who are in a cohort now, by id.',
    examples: [{ cohortId: '0197a1c0-0000-4000-8000-000000000001' }],
  },
  list_user_cohorts: {
    method: CohortsService.method.listOfUser,
    title: 'Cohorts of a user',
    purpose: 'Lists the cohorts that a user is in now, by any id of the user.',
    examples: [{ distinctId: 'user-1' }],
  },
  list_saved_insights: {
    method: SavedInsightsService.method.list,
    title: 'Saved insights',
    purpose: 'Lists insights that the team has saved, with specs for query_insights.',
    examples: [{ search: 'revenue' }],
  },
  list_annotations: {
    method: AnnotationsService.method.list,
    title: 'Annotations',
    purpose: 'Lists notes at instants, such as releases, that may explain a change.',
    examples: [{ allDashboards: true }],
  },
  list_alerts: {
    method: AlertsService.method.list,
    title: 'Alerts',
    purpose: 'Lists alerts on numbers of insights, firing ones first, with conditions and last checks.',
    examples: [{ firingOnly: true }],
  },
  list_dictionary_events: {
    method: DictionaryService.method.listEvents,
    title: 'Event dictionary',
    purpose: 'Lists what event kinds mean, with state and volume.',
    examples: [{ selection: { search: 'sign' } }],
  },
  get_dictionary_event: {
    method: DictionaryService.method.getEvent,
    title: 'Event kind',
    purpose: 'Returns what an event kind means, and its properties.',
    examples: [{ name: 'page_view' }],
  },
  list_dictionary_properties: {
    method: DictionaryService.method.listProperties,
    title: 'Property dictionary',
    purpose: 'Lists what event properties mean, with types and volume.',
    examples: [{ selection: { search: 'plan' } }],
  },
  list_ingestion_warnings: {
    method: WarningsService.method.list,
    title: 'Ingestion warnings',
    purpose: 'Lists what ingestion dropped, changed or refused, by reason: why data is missing.',
    examples: [{ hours: 24 }],
  },
  query_web_overview: {
    method: WebAnalyticsService.method.queryOverview,
    title: 'Web overview',
    purpose:
      'Measures the visits (sessions) that start in a range: visitors, visits, page views (events of kind page_view), views per visit, bounce rate and duration, in total and per bucket. For pages, sources, places or devices, use query_web_table; for other events, query_insights. Imported numbers are sums of days: never add them to visitors.',
    examples: [{ timeRange: MONTH, granularity: 'GRANULARITY_DAY' }],
  },
  query_web_table: {
    method: WebAnalyticsService.method.queryTable,
    title: 'Web table',
    purpose:
      'Measures visits by one dimension, most visitors first: pages, channels, campaigns, places, devices, event kinds, or goals with conversions. The empty value means none. A condition on PAGE, HOSTNAME or EVENT_KIND selects visits with such an event; any other is on the visit. importedRows are sums of days: never add them to visitors.',
    examples: [
      {
        timeRange: MONTH,
        dimension: 'DIMENSION_ENTRY_PAGE',
        filters: [
          { dimension: 'DIMENSION_CHANNEL', operator: 'FILTER_OPERATOR_EQUALS', value: 'Organic Search' },
        ],
        limit: 20,
      },
    ],
  },
  query_web_realtime: {
    method: WebAnalyticsService.method.queryRealtime,
    title: 'Web traffic now',
    purpose:
      'Measures visitors of the last 5 minutes with pages, sources and countries, and of each of the last 30 minutes.',
    examples: [{}],
  },
  list_goals: {
    method: GoalsService.method.list,
    title: 'Goals',
    purpose: 'Lists goals: which events query_web_table counts as conversions.',
    examples: [{}],
  },
  get_insights_filter_schema: {
    method: InsightsService.method.getFilterSchema,
    title: 'Filter schema for insights',
    purpose:
      'Lists event kinds, event property keys and profile traits, most frequent first. Call it before query_insights.',
    examples: [{ eventKind: 'page_view' }],
  },
  get_insights_property_values: {
    method: InsightsService.method.getPropertyValues,
    title: 'Property values for insights',
    purpose: 'Lists up to 100 values of a property, most frequent first, for query_insights.',
    examples: [{ propertyKey: '$browser', source: 'PROPERTY_SOURCE_AUTO' }],
  },
  get_activity_feed: {
    method: ActivityService.method.getActivityFeed,
    title: 'Activity of one user',
    purpose: 'Lists the events of one user across all of their ids, newest first.',
    examples: [{ distinctId: 'user-1', pageSize: 20 }],
  },
  explore_events: {
    method: ActivityService.method.getEventExplorer,
    title: 'Explore events',
    purpose:
      'Lists raw events, newest first, filtered by kind, property, session or time. To count or compare, use query_insights.',
    examples: [{ events: [{ kind: 'page_view' }] }],
  },
  get_activity_filter_schema: {
    method: ActivityService.method.getFilterSchema,
    title: 'Filter schema for events',
    purpose: 'Lists event kinds and property keys for explore_events and get_activity_feed.',
    examples: [{}],
  },
  get_activity_property_values: {
    method: ActivityService.method.getPropertyValues,
    title: 'Property values for events',
    purpose:
      'Lists up to 100 values of a property, most frequent first, for explore_events and get_activity_feed.',
    examples: [{ propertyKey: '$country', source: 'PROPERTY_SOURCE_AUTO' }],
  },
  get_activity_heatmap: {
    method: ActivityService.method.getActivityHeatmap,
    title: 'Events per day',
    purpose: "Counts events per calendar day of the project's time zone, for one user or the whole project.",
    examples: [{ timeRange: DAY }],
  },
  get_profile_stats: {
    method: ActivityService.method.getProfileStats,
    title: 'One user at a glance',
    purpose:
      'Summarises one user by any of their ids: first and last seen, number of events, device, location, traits, and events per day of the last 60 days.',
    examples: [{ distinctId: 'user-1' }],
  },
  get_profile: {
    method: ProfilesService.method.get,
    title: 'Profile by id',
    purpose: 'Returns the profile of one user by profile id, or by the distinct id of an anonymous user.',
    examples: [{ id: 'user-1' }],
  },
  get_profile_by_external_id: {
    method: ProfilesService.method.getByExternalId,
    title: 'Profile by external id',
    purpose: 'Returns the profile of one user by external id, the id in your own product.',
    examples: [{ externalId: 'customer-42' }],
  },
  get_deletion_request: {
    method: ProfilesService.method.getDeletionRequest,
    title: 'Status of an erasure',
    purpose: 'Returns the status of the erasure of a user; it starts none.',
    examples: [{ requestId: '0197a1c0-0000-7000-8000-000000000001' }],
  },
} as const satisfies Record<ToolName, ToolEntry>

/** Finds a tool by name. */
export function findTool(name: string): ToolEntry | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : undefined
}
