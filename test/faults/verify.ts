import type { EventSeries } from './event-series.ts'
import type { Ledger } from './ledger.ts'
import type { Stored } from './read-back.ts'

/** Violations; each number is a count of events. */
export interface Findings {
  /** Acknowledged and not stored. */
  readonly lost: number
  /** Stored more than once for a read with FINAL. */
  readonly doubled: number
  /** Stored and never sent. */
  readonly foreign: number
  /** Stored with another content than was sent. */
  readonly altered: number
  /** Kinds of which the trends RPC counts another number than are stored. */
  readonly miscounted: readonly string[]
}

/** No violation. */
export const NOTHING_FOUND: Findings = { lost: 0, doubled: 0, foreign: 0, altered: 0, miscounted: [] }

/** Compares the clients' ledger with the rows of ClickHouse and with the counts of the trends RPC. */
export function verify(
  sides: {
    readonly ledger: Ledger
    readonly stored: Stored
    readonly trends: Readonly<Record<string, number>>
  },
  series: EventSeries,
): Findings {
  const { ledger, stored, trends } = sides
  const distinctByKind = new Map(series.kinds.map((kind) => [kind, 0]))
  let lost = 0
  let doubled = 0
  for (let number = 0; number < ledger.sent; number++) {
    const copies = stored.copies[number] ?? 0
    if (copies === 0 && ledger.state(number) === 'acknowledged') lost++
    if (copies > 1) doubled++
    if (copies === 0) continue
    const { kind } = series.facts(number)
    distinctByKind.set(kind, (distinctByKind.get(kind) ?? 0) + 1)
  }
  const miscounted = [...distinctByKind].filter(([kind, count]) => trends[kind] !== count)
  return {
    lost,
    doubled,
    foreign: stored.foreign,
    altered: stored.altered,
    miscounted: miscounted.map(([kind, count]) => `${kind}: ${count} stored, ${trends[kind]} counted`),
  }
}
