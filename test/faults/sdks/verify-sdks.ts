import { DATABASE, type EngineEndpoint } from '../../../src/store/embedded/engine.ts'
import type { TestService } from '../../harness/service.ts'
import { type Findings, NOTHING_FOUND } from '../verify.ts'
import { kindOfSdk, type SdkFleet } from './node-sdks.ts'
import type { SdkLedger } from './sdk-ledger.ts'

const QUERY = 'shared.insights.v1.InsightsService/Query'
const DAY_MS = 24 * 60 * 60 * 1000

/** Rows as they count, and how many are of one event; SDKs for browsers send some without a number by themselves. */
const ROWS = `SELECT kind, ints['number'] number, distinct_id, count() copies FROM events FINAL
WHERE mapContains(ints, 'number') GROUP BY ALL FORMAT JSONCompactStrings`

/** What is stored of the events of all SDKs, compared with the ledger. */
export interface SdkCheck {
  readonly findings: Findings
  /** Events by SDK. */
  readonly stored: Readonly<Record<string, number>>
}

/** Compares the ledger with the rows of ClickHouse, and these with the counts of an insight; the journal must be drained. */
export async function checkSdks(
  service: TestService,
  endpoint: EngineEndpoint,
  { ledger, fleet }: { readonly ledger: SdkLedger; readonly fleet: SdkFleet },
): Promise<SdkCheck> {
  const names = Object.keys(fleet.sdks)
  const copies = new Uint16Array(ledger.ledger.sent)
  const stored: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
  const found = { foreign: 0, altered: 0 }
  for (const [kind, text, distinctId, count] of await readRows(endpoint)) {
    const number = Number(text)
    const name = ledger.nameOf(number)
    if (name === undefined) {
      found.foreign++
      continue
    }
    if (kind !== kindOfSdk(name) || distinctId !== fleet.userOf(name, number)) found.altered++
    copies[number] = (copies[number] ?? 0) + Number(count)
    stored[name] = (stored[name] ?? 0) + 1
  }
  const numbers = [...copies.keys()]
  const counted = await readCounts(service, names)
  const miscounted = names
    .filter((name) => counted[kindOfSdk(name)] !== stored[name])
    .map((name) => `${name}: ${stored[name]} stored, ${counted[kindOfSdk(name)]} counted`)
  const isLost = (number: number): boolean =>
    ledger.ledger.state(number) === 'acknowledged' && copies[number] === 0
  const findings = {
    ...NOTHING_FOUND,
    ...found,
    lost: numbers.filter(isLost).length,
    doubled: numbers.filter((number) => (copies[number] ?? 0) > 1).length,
    miscounted,
  }
  return { findings, stored }
}

type Row = readonly [kind: string, number: string, distinctId: string, copies: string]

async function readRows({ url, admin }: EngineEndpoint): Promise<readonly Row[]> {
  const response = await fetch(`${url}/?database=${DATABASE}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': admin.user, 'x-clickhouse-key': admin.password },
    body: ROWS,
  })
  if (!response.ok) throw new Error(`ClickHouse answered: ${await response.text()}`)
  return ((await response.json()) as { readonly data: readonly Row[] }).data
}

/** Totals of the trends RPC by kind. */
async function readCounts(
  service: TestService,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const nowMs = Date.now()
  const { status, body } = await service.call(QUERY, {
    spec: {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: names.map((name) => ({ event: { kind: kindOfSdk(name) } })),
    },
    timeRange: {
      from: new Date(nowMs - DAY_MS).toISOString(),
      to: new Date(nowMs + DAY_MS).toISOString(),
    },
    granularity: 'GRANULARITY_HOUR',
  })
  if (status !== 200) throw new Error(`trends answered ${status}: ${JSON.stringify(body)}`)
  const { trends } = body as { readonly trends: { readonly series: readonly Series[] } }
  return Object.fromEntries(
    trends.series.map(({ eventKind, points }) => [
      eventKind,
      points.reduce((sum, { value = 0 }) => sum + value, 0),
    ]),
  )
}

interface Series {
  readonly eventKind: string
  readonly points: readonly { readonly value?: number }[]
}
