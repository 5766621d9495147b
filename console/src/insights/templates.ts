import { type NameKey, t } from '../i18n/translate.ts'
import type { Entry, EventEntry, PropertyEntry } from '../picker/entries.ts'
import { isProperty } from '../picker/entries.ts'
import type { InsightPeriod } from './insight-period.ts'
import {
  type Draft,
  type Granularity,
  NO_BREAKDOWN,
  NO_FILTERS,
  newDraft,
  newEvent,
  newSeries,
} from './model/draft.ts'
import { NO_FUNNEL_OPTIONS } from './model/funnel-options.ts'
import { NO_RETENTION_OPTIONS } from './model/retention-options.ts'
import type { Tab } from './types/insight-types.ts'
import { switchTab } from './types/tabs.ts'

/** An insight that is made from the events of a project. */
export interface Template {
  readonly name: NameKey
  readonly text: string
  readonly tab: Tab
  readonly draft: Draft
  readonly period: InsightPeriod
  readonly granularity: Granularity
  readonly view: 'chart' | 'grouped'
}

const VISIT = /^\$?page_?view$/i
const SIGN_UP = /^(user_?)?(sign(ed)?_?up|register(ed)?|registration|account_created)/i
const PURCHASE = /^(purchase|order|checkout_completed|payment|subscription_started)/i
const MONEY = /^(revenue|amount|price|total|value)$/i

const WINDOW_SECONDS = 14 * 86_400
const CHANNEL = '$channel'

/** The templates that the events of a project allow. */
export function templatesFor(entries: readonly Entry[]): readonly Template[] {
  return [conversion(entries), retention(entries), revenue(entries)].flatMap((template) => template ?? [])
}

function eventNames(entries: readonly Entry[]): readonly string[] {
  const events = entries.filter((entry): entry is EventEntry => entry.kind === 'event')
  return [...events].sort((a, b) => (b.count ?? 0) - (a.count ?? 0)).map(({ event }) => event)
}

/** The draft of a new insight: the most frequent events, drawn at once. */
export function newInsight(
  entries: readonly Entry[],
  { tab, excludeBots }: { readonly tab: Tab; readonly excludeBots: boolean },
): Draft {
  const [first = '', second] = eventNames(entries)
  const draft = newDraft(first)
  const isFunnel = tab === 'funnel' && second !== undefined
  const kinds = isFunnel ? [first, second] : [first]
  const series = { of: 'events', series: kinds.map(newSeries) } as const
  return switchTab({ ...draft, excludeBots, subject: series }, tab)
}

function conversion(entries: readonly Entry[]): Template | undefined {
  const names = eventNames(entries)
  const steps = [VISIT, SIGN_UP, PURCHASE].flatMap(
    (pattern) => names.find((name) => pattern.test(name)) ?? [],
  )
  if (steps.length < 2) return undefined
  return {
    name: 'insights.templateConversion',
    text: steps.join(', '),
    tab: 'funnel',
    draft: {
      type: 'INSIGHT_TYPE_FUNNEL',
      steps: steps.map((kind) => newEvent(kind)),
      breakdown: NO_BREAKDOWN,
      windowSeconds: WINDOW_SECONDS,
      timing: 'shown',
      options: NO_FUNNEL_OPTIONS,
      ...NO_FILTERS,
    },
    period: { last: 30, unit: 'days' },
    granularity: 'GRANULARITY_DAY',
    view: 'chart',
  }
}

function retention(entries: readonly Entry[]): Template | undefined {
  const names = eventNames(entries)
  const back = names.find((name) => VISIT.test(name)) ?? names[0]
  if (back === undefined) return undefined
  const first = names.find((name) => SIGN_UP.test(name)) ?? back
  return {
    name: 'insights.templateRetention',
    text: t('insights.templateRetentionText', { first, back }),
    tab: 'retention',
    draft: {
      type: 'INSIGHT_TYPE_RETENTION',
      first: newEvent(first),
      back: newEvent(back),
      breakdown: NO_BREAKDOWN,
      options: NO_RETENTION_OPTIONS,
      ...NO_FILTERS,
    },
    period: { last: 10, unit: 'weeks' },
    granularity: 'GRANULARITY_WEEK',
    view: 'chart',
  }
}

function revenue(entries: readonly Entry[]): Template | undefined {
  const kind = eventNames(entries).find((name) => PURCHASE.test(name))
  const properties = entries.filter(isProperty)
  const money = properties.find(isMoney)
  const channels = properties.filter(({ property }) => property === CHANNEL)
  // A purchase is credited to the channel that brought the visit: later events of a visit have none of their own.
  const channel = channels.find(({ source }) => source === 'PROPERTY_SOURCE_SESSION_ENTRY') ?? channels[0]
  if (kind === undefined || !money || !channel) return undefined
  const { property } = money
  return {
    name: 'insights.templateRevenue',
    text: t('insights.sumOf', { property }),
    tab: 'trends',
    draft: {
      ...newDraft(),
      subject: {
        of: 'events',
        series: [{ ...newSeries(kind), measure: { aggregation: 'AGGREGATION_TYPE_SUM', property } }],
      },
      breakdown: { properties: [{ property: CHANNEL, source: channel.source }], limit: 5 },
    },
    period: { last: 30, unit: 'days' },
    granularity: 'GRANULARITY_DAY',
    view: 'grouped',
  }
}

function isMoney({ kind, valueType, property }: PropertyEntry): boolean {
  return kind === 'property' && valueType === 'number' && MONEY.test(property)
}
