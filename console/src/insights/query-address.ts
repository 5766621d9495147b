import type { View } from '../charts/chart.ts'
import { type Draft, GRANULARITIES, type Granularity, newDraft } from './model/draft.ts'
import { defaultGranularity, isPreset, isTooNarrow, type Period, parsePeriod, writePeriod } from './period.ts'
import { decodeSpec, encodeDraft, parseSpec, writeSpec } from './spec.ts'

const DEFAULT_PERIOD: Period = 'LAST_7_DAYS'

/** An insight query as the address of the page has it. */
export interface InsightQuery {
  /** In proto JSON. */
  readonly spec: string
  readonly period: Period
  readonly granularity: Granularity
  readonly compare: 'none' | 'previous'
}

/** A tile whose query is being edited. */
export interface TileId {
  readonly dashboardId: string
  readonly tileId: string
}

/** The text of `compare` in addresses. */
const PREVIOUS = 'prior'

/** What the project sets for new insights. */
export type InsightDefaults = Pick<Draft, 'excludeBots'>

/** The query of an address, and its draft; a parameter that cannot be read has its default. */
export function readQuery(
  address: URLSearchParams,
  defaults: InsightDefaults,
): InsightQuery & { readonly draft: Draft } {
  const period = parsePeriod(address.get('range')) ?? DEFAULT_PERIOD
  return {
    ...readSpec(address.get('spec'), defaults),
    period,
    granularity: readGranularity(address.get('granularity') ?? '', period),
    compare: address.get('compare') === PREVIOUS ? 'previous' : 'none',
  }
}

/** A granularity that is too narrow for a preset is replaced by the default. */
function readGranularity(text: string, period: Period): Granularity {
  const isKnown = Object.hasOwn(GRANULARITIES, text)
  const granularity = isKnown ? (text as Granularity) : defaultGranularity(period)
  const isAllowed = !isPreset(period) || !isTooNarrow(granularity, { period, timeZone: 'UTC' })
  return isAllowed ? granularity : defaultGranularity(period)
}

function readSpec(
  text: string | null,
  defaults: InsightDefaults,
): Pick<InsightQuery, 'spec'> & { readonly draft: Draft } {
  try {
    const spec = parseSpec(text ?? '')
    return { spec: writeSpec(spec), draft: decodeSpec(spec) }
  } catch {
    const draft = { ...newDraft(), ...defaults }
    return { spec: JSON.stringify(encodeDraft(draft)), draft }
  }
}

/** The parameters of a query in an address. */
export function writeQuery({ spec, period, granularity, compare }: InsightQuery): Record<string, string> {
  return { spec, range: writePeriod(period), granularity, ...writeCompare(compare) }
}

/** The parameters of a stored query, whose period is not stored. */
export function writeStoredQuery({
  spec,
  view,
  compare,
}: Pick<InsightQuery, 'spec' | 'compare'> & { readonly view: View }): Record<string, string> {
  return { spec, view, ...writeCompare(compare) }
}

function writeCompare(compare: InsightQuery['compare']): Record<string, string> {
  return compare === 'previous' ? { compare: PREVIOUS } : {}
}

/** The tile of an address; `undefined` where it names none. */
export function readTile(address: URLSearchParams): TileId | undefined {
  const [dashboardId, tileId] = [address.get('dashboard'), address.get('tile')]
  return dashboardId && tileId ? { dashboardId, tileId } : undefined
}

/** The parameters of a tile in an address. */
export function writeTile({ dashboardId, tileId }: TileId): Record<string, string> {
  return { dashboard: dashboardId, tile: tileId }
}
