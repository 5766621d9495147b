import { strictEqual } from 'node:assert'
import type { Sample } from '../case.ts'
import { INGEST_RANGE } from '../corpus/fixtures.ts'
import { type Load, type LoadOutcome, sendLoad } from './load.ts'
import type { BenchService } from './service.ts'
import { untilSettled } from './store.ts'
import { sumPoints, totalByDay } from './trends.ts'

/** Requests, and how many events each has. */
export interface EventLoad extends Omit<Load, 'url' | 'connections'> {
  readonly size: number
}

const CONNECTIONS = 64

/** Sends events of {@link INGEST_RANGE} to a service over 64 connections, until every acknowledged one is stored and merged. */
export class StoredLoad {
  readonly #service: BenchService
  #acknowledged = 0

  constructor(service: BenchService) {
    this.#service = service
  }

  async send({ size, ...load }: EventLoad): Promise<LoadOutcome> {
    const { url, store } = this.#service
    const outcome = await sendLoad({ ...load, url, connections: CONNECTIONS })
    strictEqual(outcome.acknowledged, load.requests * size)
    this.#acknowledged += outcome.acknowledged
    await untilSettled(store, this.#acknowledged)
    return outcome
  }

  /** CPU microseconds per event of all processes. Throws when a query does not count every acknowledged event. */
  async measure(load: EventLoad): Promise<Required<Pick<Sample, 'cost' | 'parts'>>> {
    const before = this.#service.cpuSeconds()
    const outcome = await this.send(load)
    const after = this.#service.cpuSeconds()
    const stored = sumPoints(await this.#service.query(totalByDay(INGEST_RANGE)))
    strictEqual(stored, this.#acknowledged, `acknowledged ${this.#acknowledged} events, stored ${stored}`)
    const { cost, parts } = costPerEvent(before, after, outcome)
    const edgeMib = this.#service.residentMibMax().get('edge') ?? Number.NaN
    return { cost, parts: { ...parts, 'edge MiB at most': edgeMib } }
  }
}

function costPerEvent(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  { acknowledged, seconds }: LoadOutcome,
): { readonly cost: number; readonly parts: Readonly<Record<string, number>> } {
  const byRole = [...after].map(([role, cpuSeconds]): [string, number] => [
    role,
    ((cpuSeconds - (before.get(role) ?? 0)) * 1e6) / acknowledged,
  ])
  const cost = byRole.reduce((sum, [, micros]) => sum + micros, 0)
  return { cost, parts: { ...Object.fromEntries(byRole), 'events/s': acknowledged / seconds } }
}
