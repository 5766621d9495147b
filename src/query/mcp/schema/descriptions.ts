import type { DescEnum, DescEnumValue, DescField, DescMessage } from '@bufbuild/protobuf'
import { protoCamelCase } from '@bufbuild/protobuf/reflect'
import { COMMENTS } from '../../../contract/gen/comments.js'

/** JSON names of the fields that comments mention. */
const JSON_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMENTS).flatMap((fullName): [string, string][] => {
    const name = fullName.slice(fullName.lastIndexOf('.') + 1)
    return /^[a-z]+(_[a-z]+)+$/.test(name) ? [[name, protoCamelCase(name)]] : []
  }),
)

/**
 * Descriptions that replace comments, to save tokens: they cover only what names, bounds and other descriptions do not. That of
 * an enum replaces the comments of its values.
 */
export const SHORT_DESCRIPTIONS = {
  'common.v1.FilterOperator':
    'Text is case-sensitive. NOT_EQUALS, NOT_CONTAINS and NOT_IN also match a missing property. LTE, GTE, LT, GT and BETWEEN (inclusive) compare numbers and decimal strings. An empty string counts as not set.',
  'common.v1.LogicalOperator': '',
  'common.v1.PropertySource':
    "Defaults to AUTO for a name with `$`, else CUSTOM: properties of the event. PROFILE: current trait of the user. SESSION_ENTRY: property of the session's first event. FIRST_TOUCH: of the user's first event ever.",
  'common.v1.EventFilter': '',
  'common.v1.EventFilter.filters': '',
  'common.v1.EventFilter.kind': '',
  'common.v1.EventFilter.merged_kinds': '',
  'common.v1.GetFilterSchemaRequest.allowed_types': '',
  'common.v1.GetFilterSchemaRequest.event_kind': 'Only keys of events of this kind.',
  'common.v1.GetFilterSchemaRequest.recent_since': '',
  'common.v1.PropertyFilter': '',
  'common.v1.PropertyFilter.operator': '',
  'common.v1.PropertyFilter.property': 'Dotted: the flat key of that name, else the nested key in JSON text.',
  'common.v1.PropertyFilter.source': '',
  'common.v1.PropertyFilter.value': 'For operators with one operand; a decimal number for LTE, GTE, LT, GT.',
  'common.v1.PropertyFilter.values':
    'For IN, NOT_IN, and (two numbers, the lower first) BETWEEN, NOT_BETWEEN.',
  'common.v1.PropertyValueType': 'OTHER: a trait that is null, an object or an array.',
  'common.v1.TimeRange': '',
  'common.v1.TimeRange.from': '',
  'common.v1.TimeRange.to': 'Exclusive.',
  'shared.activity.v1.EventOrder': '',
  'shared.activity.v1.GetActivityFeedRequest.events': 'Events of any of these.',
  'shared.activity.v1.GetActivityFeedRequest.page_size': '0 means 100.',
  'shared.activity.v1.GetActivityFeedRequest.page_token': '',
  'shared.activity.v1.GetActivityFeedRequest.property_filters': 'All must match.',
  'shared.activity.v1.GetActivityFeedRequest.session_id': '',
  'shared.activity.v1.GetActivityFeedRequest.time_range': 'Absent: any time.',
  'shared.activity.v1.GetEventExplorerRequest.arrival_range': 'Needs ARRIVAL.',
  'shared.activity.v1.GetEventExplorerRequest.cohorts': '',
  'shared.activity.v1.GetEventExplorerRequest.distinct_id': 'Exactly this id.',
  'shared.activity.v1.GetEventExplorerRequest.order': '',
  'shared.activity.v1.GetEventExplorerRequest.page_size': '0 means 100.',
  'shared.activity.v1.GetEventExplorerRequest.page_token': '',
  'shared.activity.v1.GetEventExplorerRequest.session_id': '',
  'shared.activity.v1.GetEventExplorerRequest.time_range': 'Absent: any time.',
  'shared.activity.v1.GetEventExplorerRequest.with_users': '',
  'shared.activity.v1.GetPropertyValuesRequest.event_kind': '',
  'shared.activity.v1.GetPropertyValuesRequest.property_key': '',
  'shared.activity.v1.GetPropertyValuesRequest.search': '',
  'shared.profiles.v1.GetByExternalIdRequest.external_id': '',
  'shared.profiles.v1.GetByExternalIdRequest.with_merged_ids': '',
  'shared.profiles.v1.GetDeletionRequestRequest.request_id': '',
  'shared.profiles.v1.GetRequest.id': '',
  'shared.profiles.v1.GetRequest.or_external_id': 'The id may be any distinct id.',
  'shared.profiles.v1.GetRequest.with_merged_ids': '',
  'shared.insights.v1.AggregationType':
    'TOTAL: events. UNIQUE_USERS: exact. PER_USER_AVG: events divided by users. SUM to P99: of a numeric property; other values are skipped. ROLLING: users of the days up to the end of the bucket; trends by DAY, WEEK, MONTH.',
  'shared.insights.v1.Breakdown.property': '',
  'shared.insights.v1.Breakdown.source': '',
  'shared.insights.v1.EventQuery.aggregation': 'Of trends and segmentation; TOTAL by default.',
  'shared.insights.v1.EventQuery.aggregation_property': 'For SUM to DISTINCT_VALUES.',
  'shared.insights.v1.EventQuery.cohorts': '',
  'shared.insights.v1.EventQuery.event': 'Absent: all events.',
  'shared.insights.v1.FilterGroup.filters': '',
  'shared.insights.v1.FilterGroup.operator': '',
  'shared.insights.v1.GetPropertyValuesRequest.event_kind': '',
  'shared.insights.v1.GetPropertyValuesRequest.property_key': '',
  'shared.insights.v1.GetPropertyValuesRequest.search': '',
  'shared.insights.v1.Granularity':
    'Longest range: MINUTE 6 hours, HOUR 14 days, DAY 365 days, WEEK (from Monday) 1461 days, MONTH 3652 days.',
  'shared.insights.v1.InsightQuerySpec': 'Fields of other insight types are rejected.',
  'shared.insights.v1.InsightQuerySpec.breakdown_limit':
    'Values with a series of their own; 0 means 10. The rest is `$others`.',
  'shared.insights.v1.InsightQuerySpec.breakdowns':
    'To break down by, without duplicates; for trends, funnel and retention.',
  'shared.insights.v1.InsightQuerySpec.breakdown_cohort_ids':
    'Trends, segmentation, funnel, retention without breakdowns: a series per cohort.',
  'shared.insights.v1.InsightQuerySpec.cohorts': 'Only events of users in all of them.',
  'shared.insights.v1.InsightQuerySpec.conversion_window':
    'Funnel: longest time from first to last step, inclusive, in whole seconds.',
  'shared.insights.v1.InsightQuerySpec.events':
    'Series of trends, segmentation and stickiness; steps of a funnel, in order; start and return event of retention; event of a lifecycle. Trends and segmentation without events and session count all events.',
  'shared.insights.v1.InsightQuerySpec.exclude_bots': 'Leaves out events of bots.',
  'shared.insights.v1.InsightQuerySpec.formulas': 'Trends and segmentation.',
  'shared.insights.v1.InsightQuerySpec.filter_groups_operator': 'Default AND.',
  'shared.insights.v1.InsightQuerySpec.include_cookieless':
    'Counts cookieless visitors as users too; left out by default.',
  'shared.insights.v1.InsightQuerySpec.include_step_timing': 'Funnel: adds the times between steps.',
  'shared.insights.v1.InsightQuerySpec.insight_type': '',
  'shared.insights.v1.InsightQuerySpec.map': 'For MAP.',
  'shared.insights.v1.InsightQuerySpec.session': 'Trends and segmentation of sessions; events is then empty.',
  'shared.insights.v1.InsightQuerySpec.top_k': 'For TOP_K.',
  'shared.insights.v1.InsightQuerySpec.user_flow': 'For USER_FLOW.',
  'shared.insights.v1.InsightQuerySpec.funnel': 'Of a funnel.',
  'shared.insights.v1.InsightQuerySpec.retention': 'Of retention.',
  'shared.insights.v1.InsightType':
    'TRENDS: values per bucket. SEGMENTATION: one number over the range. FUNNEL: 1 to 20 events. RETENTION: `events[0]` starts, `events[1]` (default: the same) returns. USER_FLOW: paths within sessions. TOP_K: top values. MAP: per country. LIFECYCLE: new, returning, resurrected and dormant users per DAY, WEEK or MONTH, of one event. STICKINESS: users by number of active buckets.',
  'shared.insights.v1.MapQuery.metric': '',
  'shared.insights.v1.MapQuery.metric_property': '',
  'shared.insights.v1.MapQuery.scope': '',
  'shared.insights.v1.QueryRequest.compare_to': 'An earlier range to answer for too.',
  'shared.insights.v1.QueryRequest.granularity': 'Bucket width.',
  'shared.insights.v1.QueryRequest.spec': '',
  'shared.insights.v1.QueryRequest.time_range': '',
  'shared.insights.v1.QueryRequest.timezone':
    "IANA time zone of the buckets, such as `Europe/Berlin`; default: the project's.",
  'shared.insights.v1.SessionMetric':
    'SESSIONS: number that start in the range. AVG_DURATION: seconds from the first to the last event. BOUNCE_RATE: percentage with one event. ENTRY, EXIT: sessions by the breakdown value of their first or last event; trends with one breakdown only.',
  'shared.insights.v1.SessionQuery.metric': '',
  'shared.insights.v1.SessionQuery.scope': 'The events that take part.',
  'shared.insights.v1.TopKQuery.Dimension': 'USER: not with metrics of users.',
  'shared.insights.v1.TopKQuery.dimension': '',
  'shared.insights.v1.TopKQuery.limit': '0 means 10.',
  'shared.insights.v1.TopKQuery.metric': '',
  'shared.insights.v1.TopKQuery.metric_property': '',
  'shared.insights.v1.TopKQuery.omit_others': '',
  'shared.insights.v1.TopKQuery.property': 'Required for DIMENSION_PROPERTY.',
  'shared.insights.v1.TopKQuery.scope': '',
  'millrace.insights.v1.PathAnchor': '',
  'millrace.insights.v1.PathAnchor.event': '',
  'millrace.insights.v1.PathAnchor.node': 'Value of the node.',
  'millrace.insights.v1.PathRule': '',
  'millrace.insights.v1.PathRule.pattern': 'RE2.',
  'millrace.insights.v1.PathRule.replacement': '`\\1`: first group.',
  'shared.insights.v1.UserFlowQuery.end_at':
    'Paths end at its last match, read backwards; with startAt, at the first one after the start.',
  'shared.insights.v1.UserFlowQuery.path_rules': 'Rewrite values of nodes first.',
  'shared.insights.v1.UserFlowQuery.start_at': 'Paths start at its first match.',
  'shared.insights.v1.UserFlowQuery.GroupBy': '',
  'shared.insights.v1.UserFlowQuery.NodeKind': '',
  'shared.insights.v1.UserFlowQuery.group_by': '',
  'shared.insights.v1.UserFlowQuery.max_hops': 'Links of a path; 0 means 5.',
  'shared.insights.v1.UserFlowQuery.max_links': '0 means 250.',
  'shared.insights.v1.UserFlowQuery.max_nodes': '0 means 20.',
  'shared.insights.v1.UserFlowQuery.node_kind': 'Default: EVENT_KIND.',
  'shared.insights.v1.UserFlowQuery.node_property': 'For PROPERTY.',
  'shared.insights.v1.UserFlowQuery.scope': '',
  'millrace.insights.v1.CalendarShift': '',
  'millrace.insights.v1.CalendarShift.count': '',
  'millrace.insights.v1.CalendarShift.unit': '',
  'millrace.insights.v1.CalendarUnit': '',
  'millrace.insights.v1.Comparison': '',
  'millrace.insights.v1.Comparison.previous_period': '',
  'millrace.insights.v1.Comparison.shift': '',
  'millrace.insights.v1.Formula': '',
  'millrace.insights.v1.Formula.display_name': '',
  'millrace.insights.v1.Formula.expression':
    'Of events by position, such as `100 * B / A`; also min, max, abs.',
  'millrace.insights.v1.FunnelExclusion': '',
  'millrace.insights.v1.FunnelExclusion.after_step': '',
  'millrace.insights.v1.FunnelExclusion.before_step': '',
  'millrace.insights.v1.FunnelExclusion.event': '',
  'millrace.insights.v1.FunnelOptions': '',
  'millrace.insights.v1.FunnelOptions.Attribution': '',
  'millrace.insights.v1.FunnelOptions.CountBy': '',
  'millrace.insights.v1.FunnelOptions.Order':
    'STRICT: no other event of the user in between. ANY: step k is the kth step taken; no exclusions, optional steps or windows.',
  'millrace.insights.v1.FunnelOptions.View':
    'OVER_TIME: conversion by bucket of the start. TIME_TO_CONVERT: times from fromStep to toStep.',
  'millrace.insights.v1.FunnelOptions.attribution': 'Step whose event gives the breakdown values.',
  'millrace.insights.v1.FunnelOptions.attribution_step': 'For STEP_N.',
  'millrace.insights.v1.FunnelOptions.bins': '0: automatic.',
  'millrace.insights.v1.FunnelOptions.count_by': '',
  'millrace.insights.v1.FunnelOptions.exclusions': 'Events that void an attempt between two steps (from 1).',
  'millrace.insights.v1.FunnelOptions.from_step': '',
  'millrace.insights.v1.FunnelOptions.hold_constant': 'Properties with one value in an attempt.',
  'millrace.insights.v1.FunnelOptions.optional_steps': 'Not the first or last.',
  'millrace.insights.v1.FunnelOptions.order': '',
  'millrace.insights.v1.FunnelOptions.step_windows':
    'Longest time since the previous step; entry i is of step i + 1, `0s` no limit.',
  'millrace.insights.v1.FunnelOptions.to_step': '',
  'millrace.insights.v1.FunnelOptions.view': '',
  'millrace.insights.v1.RetentionOptions': '',
  'millrace.insights.v1.RetentionOptions.Periods': 'ELAPSED: hours, days or weeks since the start event.',
  'millrace.insights.v1.RetentionOptions.ReturnRule': '',
  'millrace.insights.v1.RetentionOptions.StartRule':
    'EVERY: users are in the cohort of each bucket with one.',
  'millrace.insights.v1.RetentionOptions.Value': 'PROPERTY_AVG: sum by cohort size.',
  'millrace.insights.v1.RetentionOptions.periods': '',
  'millrace.insights.v1.RetentionOptions.property': 'Of the return events.',
  'millrace.insights.v1.RetentionOptions.return_rule': '',
  'millrace.insights.v1.RetentionOptions.start_rule': '',
  'millrace.insights.v1.RetentionOptions.value': '',
  'millrace.people.v1.FlowPoint': '',
  'millrace.people.v1.FlowPoint.Link': '',
  'millrace.people.v1.FlowPoint.Link.source': '',
  'millrace.people.v1.FlowPoint.Link.target': '',
  'millrace.people.v1.FlowPoint.link': '',
  'millrace.people.v1.FlowPoint.node': 'Ids of nodes, as in the answer.',
  'millrace.people.v1.FunnelPoint': '',
  'millrace.people.v1.FunnelPoint.Outcome': 'DROPPED: before this step; from step 2.',
  'millrace.people.v1.FunnelPoint.breakdown': '',
  'millrace.people.v1.FunnelPoint.bucket': 'Of OVER_TIME.',
  'millrace.people.v1.FunnelPoint.others': '',
  'millrace.people.v1.FunnelPoint.outcome': '',
  'millrace.people.v1.FunnelPoint.step': 'From 1.',
  'millrace.insights.v1.CohortFilter': '',
  'millrace.insights.v1.CohortFilter.cohort_id': '',
  'millrace.insights.v1.CohortFilter.negate': 'All other users.',
  'millrace.insights.v1.LifecycleState': '',
  'millrace.people.v1.LifecyclePoint': '',
  'millrace.people.v1.LifecyclePoint.bucket': 'Its start.',
  'millrace.people.v1.LifecyclePoint.state': '',
  'millrace.people.v1.ListRequest.page_size': '0 means 100.',
  'millrace.people.v1.ListRequest.page_token': '',
  'millrace.people.v1.ListRequest.point': '',
  'millrace.people.v1.ListRequest.query': '',
  'millrace.people.v1.ListRequest.search': 'In name, email or id.',
  'millrace.people.v1.Point': '',
  'millrace.people.v1.Point.funnel': '',
  'millrace.people.v1.Point.lifecycle': '',
  'millrace.people.v1.Point.retention': '',
  'millrace.people.v1.Point.row': 'Of top-K and map.',
  'millrace.people.v1.Point.segmentation': '',
  'millrace.people.v1.Point.stickiness': '',
  'millrace.people.v1.Point.trends': '',
  'millrace.people.v1.Point.user_flow': '',
  'millrace.people.v1.RetentionPoint': '',
  'millrace.people.v1.RetentionPoint.Outcome': '',
  'millrace.people.v1.RetentionPoint.breakdown': '',
  'millrace.people.v1.RetentionPoint.cohort': '',
  'millrace.people.v1.RetentionPoint.others': '',
  'millrace.people.v1.RetentionPoint.outcome': '',
  'millrace.people.v1.RetentionPoint.period': 'From 0.',
  'millrace.people.v1.RowPoint': '',
  'millrace.people.v1.RowPoint.others': '',
  'millrace.people.v1.RowPoint.value': 'dimensionValue of the row.',
  'millrace.people.v1.SegmentationPoint': '',
  'millrace.people.v1.SegmentationPoint.breakdown': 'Empty.',
  'millrace.people.v1.SegmentationPoint.series': '',
  'millrace.people.v1.StickinessPoint': '',
  'millrace.people.v1.StickinessPoint.buckets': 'Number of active buckets.',
  'millrace.people.v1.StickinessPoint.cumulative': 'That many or more.',
  'millrace.people.v1.StickinessPoint.series': '',
  'millrace.people.v1.TrendsPoint': '',
  'millrace.people.v1.TrendsPoint.breakdown': 'As in the answer; empty with others.',
  'millrace.people.v1.TrendsPoint.bucket': 'Its start; absent: the whole range.',
  'millrace.people.v1.TrendsPoint.others': 'The series of all other values.',
  'millrace.people.v1.TrendsPoint.series': 'Position in the events of the query, from 0.',
} as const satisfies Readonly<Record<string, string>>

/** The comment of a message, if it has one. */
export function describeMessage(type: DescMessage): string | undefined {
  return commentOf(type.typeName) || undefined
}

/** The comment of a field without the word Required, which a keyword expresses. */
export function describeField(field: DescField): string | undefined {
  return (
    commentOf(`${field.parent.typeName}.${field.name}`)
      ?.replace(/(^| )Required\.(?= |$)/, '')
      .trim() || undefined
  )
}

/** Describes the offered values of an enum, by their names without the common prefix. */
export function describeEnum(type: DescEnum, values: readonly DescEnumValue[]): string | undefined {
  if (Object.hasOwn(SHORT_DESCRIPTIONS, type.typeName))
    return SHORT_DESCRIPTIONS[type.typeName as keyof typeof SHORT_DESCRIPTIONS] || undefined
  // The first sentence, and the zero value that stands for a default, repeat the field's comment.
  const comment = commentOf(type.typeName)?.replace(/^[^.]*[.]\s*/, '')
  const described = values.flatMap(({ name, localName, number }) => {
    const ofValue = number === 0 ? undefined : commentOf(`${type.typeName}.${name}`)
    return ofValue === undefined ? [] : [`${localName}: ${ofValue}`]
  })
  return [comment, ...described].filter(Boolean).join(' ') || undefined
}

function commentOf(fullName: string): string | undefined {
  const short: Readonly<Record<string, string>> = SHORT_DESCRIPTIONS
  const comment = Object.hasOwn(short, fullName) ? short[fullName] : COMMENTS[fullName]
  return comment === undefined ? undefined : inJsonNames(comment)
}

function inJsonNames(text: string): string {
  return text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => JSON_NAMES.get(word) ?? word)
}
