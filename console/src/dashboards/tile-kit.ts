import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type DashboardTileInput,
  DashboardTileInputSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  InsightQuerySpecSchema,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import { TopKQuery_Dimension as Dimension } from '@contract/shared/insights/v1/top_k_query_pb.js'
import type { View } from '../charts/chart.ts'
import type { NameKey } from '../i18n/translate.ts'
import { modeOf } from '../insights/stored-view.ts'
import type { Place } from './grid-layout.ts'

type SpecInit = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>

/** An insight of a template, before it has a place. */
export interface Insight {
  readonly title: NameKey
  readonly spec: SpecInit
  readonly view: View
  readonly comparison: 'previous' | 'none'
  /** Unspecified: that of the dashboard. */
  readonly granularity: Granularity
}

/** The events of a project that templates are made of. */
export interface ProjectEvents {
  /** The most frequent first. */
  readonly kinds: readonly string[]
  readonly numbers: readonly string[]
  readonly excludeBots: boolean
}

type Options = Partial<Pick<Insight, 'view' | 'comparison' | 'granularity'>>

function insight(title: NameKey, spec: SpecInit, options: Options = {}): Insight {
  return {
    title,
    spec,
    view: 'chart',
    comparison: 'none',
    granularity: Granularity.UNSPECIFIED,
    ...options,
  }
}

/** A metric of events over time. */
export function trendOf(
  title: NameKey,
  event: { readonly kind: string; readonly count?: AggregationType; readonly property?: string },
  options: Options & { readonly by?: string } = {},
): Insight {
  const { by, ...rest } = options
  const spec = {
    insightType: InsightType.TRENDS,
    events: [
      {
        event: { kind: event.kind },
        aggregation: event.count ?? AggregationType.TOTAL,
        aggregationProperty: event.property ?? '',
      },
    ],
    ...(by !== undefined && { breakdowns: [{ property: by }], breakdownLimit: 5 }),
  }
  return insight(title, spec, { view: 'area', comparison: by === undefined ? 'previous' : 'none', ...rest })
}

/** A metric of sessions over time. */
export function sessionsOf(title: NameKey, metric: SessionMetric, options: Options = {}): Insight {
  const spec = { insightType: InsightType.TRENDS, session: { metric } }
  return insight(title, spec, { view: 'kpi', comparison: 'previous', ...options })
}

/** The most frequent values of a property. */
export function topOf(title: NameKey, property: string, rank: { readonly kind: string }): Insight {
  return insight(title, {
    insightType: InsightType.TOP_K,
    topK: {
      dimension: Dimension.PROPERTY,
      property,
      scope: { kind: rank.kind },
      metric: AggregationType.UNIQUE_USERS,
      limit: 8,
      omitOthers: true,
    },
  })
}

/** The most frequent events. */
export function topEvents(title: NameKey): Insight {
  return insight(title, {
    insightType: InsightType.TOP_K,
    topK: { dimension: Dimension.EVENT_KIND, limit: 8, omitOthers: true },
  })
}

/** People by country; with a property, its sum. */
export function mapOf(title: NameKey, kind: string, sum?: string): Insight {
  const metric = sum === undefined ? AggregationType.UNIQUE_USERS : AggregationType.SUM
  const map = { scope: { kind }, metric, metricProperty: sum ?? '' }
  return insight(title, { insightType: InsightType.MAP, map })
}

/** A conversion through steps within two weeks. */
export function funnelOf(title: NameKey, kinds: readonly string[]): Insight {
  return insight(title, {
    insightType: InsightType.FUNNEL,
    events: kinds.map((kind) => ({ event: { kind } })),
    conversionWindow: { seconds: 1_209_600n },
    includeStepTiming: true,
  })
}

/** People who come back, by week unless another width is named. */
export function retentionOf(
  title: NameKey,
  [first, back]: readonly [first: string, back: string],
  granularity = Granularity.WEEK,
): Insight {
  const events = [{ event: { kind: first } }, { event: { kind: back } }]
  return insight(title, { insightType: InsightType.RETENTION, events }, { granularity })
}

/** The tile of an insight at a place. */
export function tileOf(
  made: Insight,
  write: {
    readonly titleOf: (title: NameKey) => string
    readonly excludeBots: boolean
    readonly position?: Place
  },
): DashboardTileInput {
  const spec = create(InsightQuerySpecSchema, {
    ...made.spec,
    ...(write.excludeBots && { excludeBots: true }),
  })
  return create(DashboardTileInputSchema, {
    displayName: write.titleOf(made.title),
    content: { case: 'insight', value: { spec, granularity: made.granularity } },
    viewMode: modeOf(made.view),
    compare: made.comparison === 'previous' ? ComparePeriod.PRIOR : ComparePeriod.UNSPECIFIED,
    ...(write.position && { position: write.position }),
  })
}

export { AggregationType as Count, SessionMetric as Sessions }
