import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../src/store/clickhouse/migrate.ts'
import { makeOldDataFolder, OLD_SCHEMAS, withStore } from './harness/old-data-folder.ts'
import { type Ended, runMillrace, TestService } from './harness/service.ts'
import { freePort, waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const OVERVIEW = 'millrace.web.v1.WebAnalyticsService/QueryOverview'
const DICTIONARY = 'millrace.dictionary.v1.DictionaryService/ListEvents'
const INSIGHTS = 'shared.insights.v1.InsightsService/Query'
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }

/** How many schemas are opened, at least one: the oldest, then the newest. */
const OPENED_MAX = Number(process.env.MILLRACE_TEST_SCHEMAS ?? OLD_SCHEMAS.length)
const OPENED = OLD_SCHEMAS.filter((_, index) => index === 0 || index > OLD_SCHEMAS.length - OPENED_MAX)

const ANSWERS = {
  pageViews: [2, 1],
  sessionSeconds: [600, 0],
  visits: [2, 3],
  // The last of January has no session.
  ids: [4, 5, 3, 2, 1].map((number) => `00000000-0000-7000-8000-00000000000${number}`),
}

/** Rows and answers of the service about the events of the fixture. */
async function askAll(service: TestService): Promise<unknown> {
  const trends = await service.call(INSIGHTS, {
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] },
    timeRange: RANGE,
    granularity: 'GRANULARITY_MONTH',
  })
  const duration = await service.call(INSIGHTS, {
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', session: { metric: 'SESSION_METRIC_AVG_DURATION' } },
    timeRange: RANGE,
    granularity: 'GRANULARITY_MONTH',
  })
  const overview = await service.call(OVERVIEW, { timeRange: RANGE, granularity: 'GRANULARITY_MONTH' })
  const { visits, pageViews } = overview.body.totals as Readonly<Record<string, unknown>>
  const { body } = await service.call(EXPLORER, {})
  const events = (body.events ?? []) as readonly Record<string, unknown>[]
  return {
    pageViews: valuesOf(trends.body),
    sessionSeconds: valuesOf(duration.body),
    visits: [Number(visits), Number(pageViews)],
    ids: events.map(({ eventId }) => eventId),
  }
}

function valuesOf(body: Record<string, unknown>): unknown {
  const { series } = body.trends as {
    readonly series: readonly { readonly points: readonly { readonly value?: number }[] }[]
  }
  return series.flatMap(({ points }) => points.map(({ value = 0 }) => value))
}

/** Starts a service on a folder that it should refuse. */
async function startRefused(dataDir: string): Promise<Ended> {
  return await runMillrace(['start'], {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_SERVER_PORT: String(await freePort()),
    SERVICE_ADMIN_PORT: String(await freePort()),
    SERVICE_LOG_LEVEL: 'silent',
  })
}

test('the fixtures go up to the schema of this release', () => {
  expect(Math.max(...OLD_SCHEMAS)).toBe(SCHEMA_VERSION)
})

test.each(OPENED)('a data folder of schema %i opens, and gives the same answers', async (schema) => {
  const dataDir = await makeOldDataFolder(schema)
  const service = await TestService.start({}, 'ready', dataDir)
  try {
    expect(service.output.stdout).not.toContain('prv_')
    expect(await askAll(service)).toEqual(ANSWERS)
    const kinds = await waitFor('the names of earlier events', async () => {
      const { body } = await service.call(DICTIONARY, {})
      const events = (body.events ?? []) as readonly {
        readonly name: string
        readonly firstSeenTime: string
      }[]
      return events.length === 2 ? events : undefined
    })
    expect(kinds).toMatchObject([
      { name: 'order_placed', firstSeenTime: '2026-01-05T10:10:00Z' },
      { name: 'page_view', firstSeenTime: '2026-01-05T10:00:00Z', lastSeenTime: '2026-02-07T23:59:59.999Z' },
    ])
  } finally {
    await service.destroy()
  }
})

test('a data folder of a newer release is refused in one line', async () => {
  const dataDir = await makeOldDataFolder(SCHEMA_VERSION)
  try {
    const newer = SCHEMA_VERSION + 1
    await withStore(dataDir, async (clickhouse) => {
      await clickhouse.command({ query: `INSERT INTO migrations (version, name) VALUES (${newer}, 'later')` })
    })
    const { code, stderr } = await startRefused(dataDir)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: .*schema \d+, newer than this release's \d+; upgrade Millrace\n$/)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a catalog of a newer release is refused in one line', async () => {
  const dataDir = await makeOldDataFolder(SCHEMA_VERSION)
  try {
    const catalog = new Database(join(dataDir, 'catalog.sqlite'))
    catalog.exec(
      "INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', '2030-01-01T00:00:00.000Z')",
    )
    catalog.close()
    const { code, stderr } = await startRefused(dataDir)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^millrace: .*catalog.*newer release.*\n$/)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
