import type { NameKey } from '../../i18n/translate.ts'
import {
  type AnyPart,
  type Draft,
  type EventDraft,
  type InsightType,
  NO_BREAKDOWN,
  newEvent,
  newPaths,
  newSeries,
  type SeriesDraft,
  type SharedDraft,
  TOTAL,
} from './draft.ts'
import { eventsOf } from './events.ts'
import './messages.ts'

/** The tabs of the builder: the insight types that people distinguish. */
export const TABS = ['trends', 'funnel', 'retention', 'paths', 'top', 'countries', 'sessions'] as const
/** A tab of the builder. */
export type Tab = (typeof TABS)[number]

/** The names of the tabs. */
export const TAB_NAMES = {
  trends: 'insights.trends',
  funnel: 'insights.funnel',
  retention: 'insights.retention',
  paths: 'insights.paths',
  top: 'insights.topValues',
  countries: 'insights.countries',
  sessions: 'insights.sessions',
} as const satisfies Record<Tab, NameKey>

const TAB_OF_TYPE = {
  INSIGHT_TYPE_TRENDS: 'trends',
  INSIGHT_TYPE_SEGMENTATION: 'trends',
  INSIGHT_TYPE_FUNNEL: 'funnel',
  INSIGHT_TYPE_RETENTION: 'retention',
  INSIGHT_TYPE_USER_FLOW: 'paths',
  INSIGHT_TYPE_TOP_K: 'top',
  INSIGHT_TYPE_MAP: 'countries',
} as const satisfies Record<InsightType, Tab>

/** Time from the first step to the last in a new funnel. */
const WINDOW_SECONDS = 14 * 86_400

/** The values that a new ranking shows. */
const ROWS = 10

/** The tab of a draft. */
export function tabOf(draft: Draft): Tab {
  const isOfSessions = 'subject' in draft && draft.subject.of === 'sessions'
  return isOfSessions ? 'sessions' : TAB_OF_TYPE[draft.type]
}

/** The draft of another tab, with the events, filters and breakdowns that fit there. */
export function switchTab(draft: Draft, tab: Tab): Draft {
  if (tabOf(draft) === tab) return draft
  const { groups, groupsOperator, includeCookieless, excludeBots } = draft
  const shared: SharedDraft = { groups, groupsOperator, includeCookieless, excludeBots }
  return { ...PARTS[tab](draft), ...shared } as Draft
}

/** The new part of each tab, from what another draft has. */
const PARTS = {
  trends: (draft) => ({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'events', series: seriesIn(draft) },
    breakdown: breakdownIn(draft),
  }),
  funnel: (draft) => ({
    type: 'INSIGHT_TYPE_FUNNEL',
    steps: seriesIn(draft).map(eventOf),
    breakdown: breakdownIn(draft),
    windowSeconds: WINDOW_SECONDS,
    timing: 'shown',
  }),
  retention: (draft) => {
    const [first = newSeries(), back] = seriesIn(draft)
    return {
      type: 'INSIGHT_TYPE_RETENTION',
      first: eventOf(first),
      back: back && eventOf(back),
      breakdown: breakdownIn(draft),
    }
  },
  paths: () => newPaths(),
  top: (draft) => {
    const [property] = breakdownIn(draft).properties
    const [series = newSeries()] = seriesIn(draft)
    return {
      type: 'INSIGHT_TYPE_TOP_K',
      // One event has no ranking of events.
      series: property ? series : { ...series, ...newEvent() },
      ranked: property ? { of: 'property', property: property.property } : { of: 'events' },
      limit: ROWS,
      others: 'shown',
    }
  },
  countries: (draft) => ({ type: 'INSIGHT_TYPE_MAP', series: seriesIn(draft)[0] ?? newSeries() }),
  sessions: (draft) => ({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'sessions', metric: 'SESSION_METRIC_SESSIONS', scope: newEvent() },
    breakdown: breakdownIn(draft),
  }),
} as const satisfies Record<Tab, (draft: Draft) => AnyPart>

function eventOf({ kind, filters }: EventDraft): EventDraft {
  return { kind, filters }
}

/** The series of a draft; its events as series where it does not count them. */
function seriesIn(draft: Draft): readonly SeriesDraft[] {
  return eventsOf(draft).map((event) => ('measure' in event ? event : { ...eventOf(event), measure: TOTAL }))
}

function breakdownIn(draft: Draft) {
  return 'breakdown' in draft ? draft.breakdown : NO_BREAKDOWN
}
