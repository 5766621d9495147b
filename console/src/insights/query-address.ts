import { isDate } from '@domain/calendar.ts'
import { RATES, type RateFrom, type View } from '../charts/chart.ts'
import { hasUnreadable } from '../context/route.ts'
import {
  COMPARISONS,
  type Compare,
  DEFAULT_PERIOD,
  type InsightPeriod,
  type NamedCompare,
  parseInsightPeriod,
  writeInsightPeriod,
} from './insight-period.ts'
import { GRANULARITIES, type Granularity } from './model/draft.ts'
import { parseSpec, writeSpec } from './spec.ts'

/** An insight query as the address of the page has it. */
export interface InsightQuery {
  /** In proto JSON. */
  readonly spec: string
  readonly period: InsightPeriod
  readonly granularity: Granularity
  readonly compare: Compare
}

/** The parts of a query that an address has; a part that is missing or cannot be parsed is absent. */
export interface AddressedQuery {
  readonly spec: string | undefined
  readonly period: InsightPeriod
  readonly granularity: Granularity | undefined
  readonly compare: Compare
  readonly view: string | null
  /** The step that the rates of a funnel are shown from. */
  readonly rate: RateFrom
  /** The name that a person gave it; empty for none. */
  readonly name: string
}

/** A tile whose query is being edited. */
export interface TileId {
  readonly dashboardId: string
  readonly tileId: string
}

/** Longest name of an insight. */
export const NAME_LENGTH_MAX = 255

/** The texts of `compare` in addresses; a custom range is its first day. */
const COMPARE_TEXTS = {
  none: '',
  previous: 'prior',
  week: 'week',
  month: 'month',
  year: 'year',
} as const satisfies Record<NamedCompare, string>

const READERS = {
  range: parseInsightPeriod,
  granularity: (text: string) => GRANULARITIES.find((known) => known === text),
  compare: readCompare,
  rate: (text: string) => RATES.find((known) => known === text),
}

/** The query of an address. */
export function readQuery(address: URLSearchParams): AddressedQuery {
  return {
    spec: readSpec(address.get('spec')),
    period: READERS.range(address.get('range') ?? '') ?? DEFAULT_PERIOD,
    granularity: READERS.granularity(address.get('granularity') ?? ''),
    compare: READERS.compare(address.get('compare') ?? '') ?? 'none',
    view: address.get('view'),
    rate: READERS.rate(address.get('rate') ?? '') ?? 'previous',
    name: (address.get('name') ?? '').slice(0, NAME_LENGTH_MAX),
  }
}

function readCompare(text: string): Compare | undefined {
  const named = COMPARISONS.find((known) => COMPARE_TEXTS[known] === text)
  return named ?? (isDate(text) ? { from: text } : undefined)
}

function readSpec(text: string | null): string | undefined {
  try {
    return writeSpec(parseSpec(text ?? ''))
  } catch {
    return undefined
  }
}

/** Whether an address has a spec that cannot be read. */
export function hasBrokenSpec(address: URLSearchParams): boolean {
  return address.has('spec') && readSpec(address.get('spec')) === undefined
}

/** Whether an address has another part that cannot be read. */
export function isBroken(address: URLSearchParams): boolean {
  return hasUnreadable(address, READERS)
}

/** The parameters of a query in an address. */
export function writeQuery({ spec, period, granularity, compare }: InsightQuery): Record<string, string> {
  return { spec, range: writeInsightPeriod(period), granularity, ...writeCompare(compare) }
}

/** The parameters of a stored query, whose period is not stored. */
export function writeStoredQuery({
  spec,
  view,
  compare,
}: Pick<InsightQuery, 'spec' | 'compare'> & { readonly view: View }): Record<string, string> {
  return { spec, view, ...writeCompare(compare) }
}

function writeCompare(compare: Compare): Record<string, string> {
  if (compare === 'none') return {}
  return { compare: typeof compare === 'string' ? COMPARE_TEXTS[compare] : compare.from }
}

/** The tile of an address; `undefined` where it names none. */
export function readTile(address: URLSearchParams): TileId | undefined {
  const [dashboardId, tileId] = [address.get('dashboard'), address.get('tile')]
  return dashboardId && tileId ? { dashboardId, tileId } : undefined
}

/** The saved insight of an address; `undefined` for a query that is not saved. */
export function readSaved(address: URLSearchParams): string | undefined {
  return address.get('saved') || undefined
}

/** The parameters of a tile in an address. */
export function writeTile({ dashboardId, tileId }: TileId): Record<string, string> {
  return { dashboard: dashboardId, tile: tileId }
}
