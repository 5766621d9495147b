import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { migrateClickHouse } from '../src/store/clickhouse/migrate.ts'
import { LOCAL_ACCESS } from '../src/store/embedded/engine.ts'
import { waitUntilDrained, waitUntilReady } from './faults/drain.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { hasPostgres, startLocalPostgres } from './harness/local-postgres.ts'
import { makePlausibleExport, totalsOf } from './harness/plausible-export.ts'
import { PRIVATE_KEY, PUBLIC_KEY, runMillrace, TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'
import { describeTwoEdges, type TwoEdges } from './harness/two-edges.ts'
import { startTwoShards, type TwoShards } from './harness/two-shards.ts'
import { waitFor } from './harness/wait.ts'

const DICTIONARY = 'millrace.dictionary.v1.DictionaryService'
const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const PROFILES = 'shared.profiles.v1.ProfilesService'
const QUERY = 'shared.insights.v1.InsightsService/Query'

/** A restart, and the pauses of the shipper. */
const OUTAGE_MS_MAX = 120_000

/** A dictionary is loaded, or a job is done, on a busy machine. */
const PATIENCE_MS = 50_000

const SECRETS = { SERVICE_SECRET_KEY: 'ab'.repeat(32), SERVICE_JWT_SECRET: 'of every machine'.repeat(2) }

const isPossible = hasPostgres() && hasSystemTool('redis-server', 'redis-server')

let shards: TwoShards
let clickhouse: ClickHouse
let edges: TwoEdges

/** Two invocations with an edge and a query process each, which query different nodes. */
async function startCluster(shared: Readonly<Record<string, string>>): Promise<TwoEdges> {
  const postgres = await startLocalPostgres()
  const common = {
    ...shared,
    ...SECRETS,
    SERVICE_DATABASE_URL: await postgres.createDatabase(),
    SERVICE_ROLES: 'query,edge',
  }
  shards = await startTwoShards()
  clickhouse = openClickHouse(shards.endpoint(), {
    application: 'millrace-test',
    connectionsMax: 4,
    requestTimeoutMs: 60_000,
  })
  // Beforehand: a start that has everything to create waits longer than a test's service may.
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
  const first = await TestService.start({ ...common, ...shards.settings(0) })
  const second = await TestService.start({ ...common, ...shards.settings(1) })
  edges = {
    first,
    second,
    close: async () => {
      await second.destroy()
      await first.destroy()
      await clickhouse.close()
      await shards.close()
      await postgres.destroy()
    },
  }
  return edges
}

/** A number that a statement selects. */
async function ask(query: string): Promise<number> {
  const answer = await clickhouse.query({
    query: `SELECT toFloat64((${query})) AS value`,
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ readonly value: number }>()
  return row?.value ?? Number.NaN
}

/** Rows of a kind on each shard. */
async function rowsByShard(kind: string): Promise<readonly number[]> {
  const answer = await clickhouse.query({
    query: `SELECT _shard_num AS shard, toUInt32(count()) AS rows FROM events FINAL WHERE kind = {kind:String} GROUP BY shard ORDER BY shard`,
    query_params: { kind },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ readonly rows: number }>()).map(({ rows }) => rows)
}

/** Unique users of a kind, as a query process counts them. */
async function uniqueUsers(service: TestService, kind: string): Promise<unknown> {
  const request = {
    spec: {
      insightType: 'INSIGHT_TYPE_SEGMENTATION',
      events: [{ event: { kind }, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }],
    },
    timeRange: { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) },
    granularity: 'GRANULARITY_HOUR',
  }
  const { status, body } = await service.call(QUERY, request, { 'cache-control': 'no-cache' })
  return status === 200 ? (body.segmentation as Record<string, unknown> | undefined)?.total : body
}

/** Sends a call with the public key again until its rate limit, which earlier tests use up, admits it. Answers the status. */
async function callWithinRate(edge: TestService, path: string, body: object): Promise<number> {
  return await waitFor('the rate limit to admit the call', async () => {
    const { status } = await edge.call(path, body, { 'x-api-key': PUBLIC_KEY })
    return status === 429 ? undefined : status
  })
}

function describeCluster(): void {
  test('both edges drop a kind within ten seconds after it is blocked, and take it again', async () => {
    const change = async (definition: object): Promise<void> => {
      const { status } = await edges.first.call(`${DICTIONARY}/UpdateEvent`, { name: 'unwanted', definition })
      expect(status).toBe(200)
    }
    const until = async (dropped: number): Promise<number> => {
      const startMs = performance.now()
      for (const edge of [edges.first, edges.second]) {
        await waitFor(`${dropped} dropped events`, async () => {
          const { body } = await edge.call(BATCH_CREATE, { events: [makeEvent({ kind: 'unwanted' })] })
          return (body.dropped ?? 0) === dropped ? true : undefined
        })
      }
      return performance.now() - startMs
    }
    await change({ state: 'NAME_STATE_BLOCKED' })
    expect(await until(1)).toBeLessThan(10_000)
    await change({})
    expect(await until(0)).toBeLessThan(10_000)
  })

  test('the dictionary adds up the names of both shards', async () => {
    const events = Array.from({ length: 40 }, (_, index) =>
      makeEvent({ kind: 'on_both', distinctId: `on-both-${index}`, occurTime: new Date().toISOString() }),
    )
    expect((await edges.first.call(BATCH_CREATE, { events })).status).toBe(200)
    const event = await waitFor('the events of both shards', async () => {
      const { body } = await edges.second.call(`${DICTIONARY}/GetEvent`, { name: 'on_both' })
      const found = body.event as { readonly recentCount?: string } | undefined
      return found?.recentCount === '40' ? found : undefined
    })
    expect(event).toMatchObject({ name: 'on_both' })
  })

  const people = Array.from({ length: 20 }, (_, index) => `person-${index}`)

  test('events of one user on different shards count as one user', async () => {
    const events = people.flatMap((name) =>
      [name, `anon-${name}-phone`, `anon-${name}-laptop`].map((distinctId) =>
        makeEvent({ kind: 'merged', distinctId }),
      ),
    )
    expect(await callWithinRate(edges.first, BATCH_CREATE, { events })).toBe(200)
    for (const externalId of people) {
      for (const device of ['phone', 'laptop']) {
        const request = { externalId, anonymousId: `anon-${externalId}-${device}` }
        expect(await callWithinRate(edges.second, IDENTIFY, request)).toBe(200)
      }
    }
    await waitUntilDrained(edges.first)
    const rows = await rowsByShard('merged')
    expect(rows).toHaveLength(2)
    expect(rows.reduce((sum, count) => sum + count)).toBe(events.length)
    const both = [edges.first, edges.second]
    await waitFor(
      'both query processes to see all merges',
      async () => {
        const counts = await Promise.all(both.map(async (one) => await uniqueUsers(one, 'merged')))
        return counts.every((count) => count === people.length) ? true : undefined
      },
      PATIENCE_MS,
    )
  })

  test('an erasure reaches every shard', async () => {
    const [externalId = ''] = people
    const { body: asked } = await edges.first.call(`${PROFILES}/DeleteDataSubject`, { externalId })
    await waitFor(
      'the erasure',
      async () => {
        const { body } = await edges.second.call(`${PROFILES}/GetDeletionRequest`, {
          requestId: asked.requestId,
        })
        return body.status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED' && body.eventsIdentified === '3'
          ? true
          : undefined
      },
      PATIENCE_MS,
    )
    expect(
      await ask(
        `SELECT count() FROM events WHERE startsWith(distinct_id, 'anon-${externalId}-') OR distinct_id = '${externalId}'`,
      ),
    ).toBe(0)
    expect(await ask(`SELECT count() FROM events WHERE kind = 'merged'`)).toBe(3 * people.length - 3)
    expect(await ask(`SELECT count() FROM identity_claims WHERE external_id = '${externalId}'`)).toBe(0)
  })

  test('imported days are on both shards, and both query processes add them up', async () => {
    const days = makePlausibleExport({ firstDay: '2025-03-20', lastDay: '2025-04-20', seed: 2 })
    const folder = mkdtempSync(join(tmpdir(), 'millrace-imported-'))
    const path = join(folder, 'shop_example_20250420.zip')
    writeFileSync(path, days.zip)
    const words = ['import', 'plausible', path, '--key', PRIVATE_KEY]
    const { code, stderr } = await runMillrace(words, edges.first.environment)
    rmSync(folder, { recursive: true })
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    const range = {
      timeRange: { from: '2025-03-20T00:00:00Z', to: '2025-04-21T00:00:00Z' },
      granularity: 'GRANULARITY_DAY',
    }
    for (const one of [edges.first, edges.second]) {
      const { body } = await one.call('millrace.web.v1.WebAnalyticsService/QueryOverview', range)
      expect(body.importedTotals).toMatchObject(totalsOf(days))
    }
    const answer = await clickhouse.query({
      query: 'SELECT _shard_num AS shard FROM imported_days GROUP BY shard ORDER BY shard',
      format: 'JSONEachRow',
    })
    expect(await answer.json()).toEqual([{ shard: 1 }, { shard: 2 }])
  })

  test('the doctor finds the same tables on every node', async () => {
    const { stdout } = await runMillrace(['doctor'], edges.second.environment)
    expect(stdout).toMatch(/^ok +clickhouse-cluster +2 nodes of two_shards/m)
    expect(stdout).toMatch(/^ok +clickhouse-settings/m)
  })

  test(
    'while a shard is down, events are accepted and no query returns a partial result',
    async () => {
      const start = await shards.stopSecond()
      const unavailable = { code: 'unavailable' }
      await waitFor('the other shard', async () => ((await clickhouse.ping()).success ? true : undefined))
      expect(await uniqueUsers(edges.first, 'merged')).toMatchObject(unavailable)
      expect(await uniqueUsers(edges.second, 'merged')).toMatchObject(unavailable)
      const events = people.map((distinctId) => makeEvent({ kind: 'while_away', distinctId }))
      expect((await edges.first.call(BATCH_CREATE, { events })).status).toBe(200)
      await start()
      await Promise.all([waitUntilReady(edges.second), waitUntilDrained(edges.first)])
      expect((await rowsByShard('while_away')).reduce((sum, count) => sum + count)).toBe(events.length)
      await waitFor('an answer again', async () =>
        (await uniqueUsers(edges.second, 'while_away')) === people.length ? true : undefined,
      )
      const { stdout } = await runMillrace(['quarantine', 'list'], edges.first.environment)
      expect(stdout).not.toContain('rejected')
    },
    OUTAGE_MS_MAX,
  )
}

describe('two edges and two query processes on two shards', () => {
  describeTwoEdges('share one cluster', isPossible, startCluster, describeCluster)
})
