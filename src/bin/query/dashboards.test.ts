import { create, fromJson, type JsonValue } from '@bufbuild/protobuf'
import { beforeEach, describe, expect, test } from 'vitest'
import { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import { DashboardTileSchema } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsServiceUpsertRequestSchema } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { RenderedDashboard } from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { PasswordHasher } from '../../control/auth/password-hasher.ts'
import { checkTiles } from '../../control/dashboards/check-dashboard.ts'
import { type Dashboard, NOT_SHARED } from '../../control/dashboards/dashboard.ts'
import type { DashboardsPorts } from '../../control/dashboards/dashboards-service.ts'
import { renderDashboard } from '../../control/dashboards/render-dashboard.ts'
import { chooseShownRange } from '../../control/dashboards/shown-range.ts'
import { createLogger } from '../../kernel/log.ts'
import { AnswerCache } from '../../query/calls/answer-cache.ts'
import type { QueryPorts } from '../../query/calls/query-call.ts'
import { toSet } from '../../query/cohorts/cohort-reader.ts'
import { QueryGate } from '../../query/sql/query-gate.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { NO_NAME_FACTS } from '../../store/catalog/name-facts.ts'
import { openDashboardsPorts } from './dashboards.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:01Z')

const visits = { insight: { spec: { insightType: 'INSIGHT_TYPE_TRENDS' } } }
const signUps = {
  insight: { spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind: 'sign_up' } }] } },
}

const NO_PROXIES = { cidrs: [], includes: () => false }

let statementCount: number
let nowMs: number
let ports: DashboardsPorts

beforeEach(() => {
  statementCount = 0
  nowMs = NOW_MS
  ports = openDashboardsPorts(
    { queryTimeoutSeconds: 30, trustedProxies: NO_PROXIES },
    {
      catalog: {} as Catalog,
      log: createLogger({ role: 'test', level: 'silent' }),
      query: fakeQuery(),
      passwords: new PasswordHasher(),
      key: Buffer.alloc(32),
    },
  )
})

/** The wiring of the query process with a fake store, which counts statements and has no rows. */
function fakeQuery(): QueryPorts {
  return {
    run: async () => {
      statementCount++
      await new Promise(setImmediate)
      return []
    },
    gate: new QueryGate({ runningMax: 4, waitingPerProjectMax: 100, waitMsMax: 10_000 }),
    projects: {
      read: async () => ({ reportingTimezone: 'UTC', names: NO_NAME_FACTS }),
    } as unknown as QueryPorts['projects'],
    readCohorts: async () => toSet([]),
    answers: new AnswerCache({ bytesMax: 1_000_000 }),
    clock: { nowMs: () => nowMs },
    answerTtlMs: 5000,
    timeoutMs: 30_000,
  }
}

async function look(
  tiles: readonly JsonValue[],
  {
    projectId = asProjectId(1),
    isFresh = false,
  }: { readonly projectId?: ProjectId; readonly isFresh?: boolean } = {},
): Promise<RenderedDashboard> {
  const dashboard: Dashboard = {
    id: 'd',
    projectId,
    ...NOT_SHARED,
    displayName: '',
    description: '',
    defaultTimeRange: TimeRangePreset.LAST_7_DAYS,
    defaultGranularity: Granularity.DAY,
    createdMs: 1,
    updatedMs: 1,
    tiles: tiles.map((tile) => fromJson(DashboardTileSchema, tile)),
  }
  const now = { nowMs: ports.clock.nowMs(), timeZone: 'UTC' }
  const range = chooseShownRange(dashboard, { granularity: Granularity.UNSPECIFIED }, now)
  const { signal } = new AbortController()
  return await renderDashboard(ports, { dashboard, range, isFresh, signal, requestId: 'r' })
}

describe('the statements of a dashboard', () => {
  test('run once for each distinct query', async () => {
    await look([visits])
    const ofVisits = statementCount
    await look([signUps])
    const ofSignUps = statementCount - ofVisits
    expect(ofVisits).toBe(1)
    expect(ofSignUps).toBe(1)
    statementCount = 0
    await look([...Array(10).fill(visits), ...Array(10).fill(signUps)], { projectId: asProjectId(2) })
    expect(statementCount).toBe(2)
  })

  test('are not repeated for equal tiles, even without the cache', async () => {
    await look([visits, visits, visits], { isFresh: true })
    expect(statementCount).toBe(1)
    await look([visits, visits, visits], { isFresh: true })
    expect(statementCount).toBe(2)
  })

  test('are shared by concurrent readers, and by readers within the same ten seconds', async () => {
    const rendered = await Promise.all([look([visits]), look([signUps, visits]), look([visits])])
    nowMs += 8000
    rendered.push(await look([visits]))
    expect(rendered.map(({ tiles }) => tiles.at(-1)?.outcome.case)).toEqual(Array(4).fill('result'))
    expect(statementCount).toBe(2)
  })

  test('are not shared between projects', async () => {
    await Promise.all([look([visits]), look([visits], { projectId: asProjectId(2) })])
    expect(statementCount).toBe(2)
  })
})

describe('stored tiles', () => {
  const check = (specs: readonly JsonValue[]): void => {
    const tiles = specs.map((spec) => ({ insight: { spec } }))
    const request = fromJson(DashboardsServiceUpsertRequestSchema, { displayName: 'a', tiles })
    checkTiles(create(DashboardsServiceUpsertRequestSchema, request).tiles, ports.checkInsight)
  }

  test('may contain any valid insight query', () => {
    const event = { event: { kind: 'sign_up' } }
    check([
      { insightType: 'INSIGHT_TYPE_TRENDS' },
      { insightType: 'INSIGHT_TYPE_SEGMENTATION', session: { metric: 'SESSION_METRIC_BOUNCE_RATE' } },
      { insightType: 'INSIGHT_TYPE_FUNNEL', events: [event, event], includeStepTiming: true },
      { insightType: 'INSIGHT_TYPE_RETENTION', events: [event] },
      { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: {} },
      { insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_USER' } },
      { insightType: 'INSIGHT_TYPE_MAP', map: {} },
    ])
    expect(statementCount).toBe(0)
  })

  test('are rejected with their index when the query is invalid', () => {
    const specs = [
      { insightType: 'INSIGHT_TYPE_TRENDS' },
      { insightType: 'INSIGHT_TYPE_FUNNEL' },
      { insightType: 'INSIGHT_TYPE_TRENDS', topK: { dimension: 'DIMENSION_USER' } },
    ]
    expect(() => check(specs)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        reason: 'INVALID_INSIGHT_QUERY',
        violations: [
          expect.objectContaining({ field: expect.stringMatching(/^tiles\[1\]\.insight\.spec\./) }),
          expect.objectContaining({ field: 'tiles[2].insight.spec.topK' }),
        ],
      }),
    )
  })
})
