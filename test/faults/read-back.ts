import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { DATABASE, type EngineEndpoint } from '../../src/store/embedded/engine.ts'
import type { TestService } from '../harness/service.ts'
import type { EventSeries } from './event-series.ts'

const QUERY = 'shared.insights.v1.InsightsService/Query'

/** The rows in ClickHouse, read without the service. */
export interface Stored {
  /** How often a read with FINAL gives each event, by its number. */
  readonly copies: Uint8Array
  /** Rows with FINAL. */
  readonly rows: number
  /** Rows without FINAL: copies that no merge has collapsed yet are on top. */
  readonly rawRows: number
  /** Rows that are none of the series. */
  readonly foreign: number
  /** Rows that do not say what was sent. */
  readonly altered: number
}

const FINAL_ROWS = `SELECT toString(event_id), kind, toUnixTimestamp64Milli(time), distinct_id, ints['number'] FROM events FINAL FORMAT TSV`

/** Reads every row. `sent` is how many events there may be. */
export async function readStored(
  endpoint: EngineEndpoint,
  series: EventSeries,
  sent: number,
): Promise<Stored> {
  const rawRows = Number(await readAll(endpoint, 'SELECT count() FROM events'))
  const copies = new Uint8Array(sent)
  const found = { rows: 0, foreign: 0, altered: 0 }
  const body = await ask(endpoint, FINAL_ROWS)
  for await (const line of createInterface({ input: Readable.fromWeb(body) })) {
    const [eventId = '', kind, time, distinctId, stated] = line.split('\t')
    const number = series.numberOf(eventId)
    found.rows++
    if (number === undefined || number >= sent) {
      found.foreign++
      continue
    }
    copies[number] = (copies[number] ?? 0) + 1
    const facts = series.facts(number)
    const isAsSent = kind === facts.kind && Number(time) === facts.timeMs && distinctId === facts.distinctId
    if (!isAsSent || Number(stated) !== number) found.altered++
  }
  return { copies, rawRows, ...found }
}

/** Counts of the trends RPC over the whole range, by kind. */
export async function readTrends(
  service: TestService,
  series: EventSeries,
  sent: number,
): Promise<Record<string, number>> {
  const { status, body } = await service.call(QUERY, {
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: series.kinds.map((kind) => ({ event: { kind } })) },
    timeRange: series.range(sent),
    granularity: 'GRANULARITY_HOUR',
  })
  if (status !== 200) throw new Error(`trends answered ${status}: ${JSON.stringify(body)}`)
  const { trends } = body as { readonly trends: { readonly series: readonly TrendsSeries[] } }
  return Object.fromEntries(
    trends.series.map(({ eventKind, points }) => [
      eventKind,
      points.reduce((sum, { value = 0 }) => sum + value, 0),
    ]),
  )
}

interface TrendsSeries {
  readonly eventKind: string
  readonly points: readonly { readonly value?: number }[]
}

async function readAll(endpoint: EngineEndpoint, sql: string): Promise<string> {
  return await new Response((await ask(endpoint, sql)) as ConstructorParameters<typeof Response>[0]).text()
}

async function ask({ url, admin }: EngineEndpoint, sql: string): Promise<ReadableStream> {
  const response = await fetch(`${url}/?database=${DATABASE}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': admin.user, 'x-clickhouse-key': admin.password },
    body: sql,
  })
  if (!response.ok || !response.body) throw new Error(`ClickHouse answered: ${await response.text()}`)
  return response.body as ReadableStream
}
