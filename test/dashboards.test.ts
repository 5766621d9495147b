import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOrganisationId } from '../src/contract/ids.ts'
import { AccessTokens } from '../src/control/access/access-token.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { loadJwtSecret } from '../src/store/secret-files.ts'
import { addMember, issueToken } from './harness/console-callers.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { reasonOf, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const SHARED = 'public.dashboards.v1.SharedDashboardsService/Query'

const insight = (spec: object): object => ({ insight: { spec } })
const countOf = (kind: string): object =>
  insight({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind } }] })

let service: TestService
let headers: Record<string, string>

beforeAll(async () => {
  service = await TestService.start()
  headers = await signIn()
  const events = ['visit', 'visit', 'visit', 'sign_up'].map((kind, index) =>
    makeEvent({
      kind,
      distinctId: `ada-${index}@example.org`,
      customProperties: { price: { doubleValue: index } },
    }),
  )
  expect(await service.call(BATCH_CREATE, { events })).toMatchObject({ body: { accepted: 4 } })
  await waitFor('the events', async () => {
    const { body } = await service.call('shared.insights.v1.InsightsService/Query', {
      spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION' },
      granularity: 'GRANULARITY_MONTH',
      timeRange: { from: '2020-01-01T00:00:00Z', to: '2029-01-01T00:00:00Z' },
    })
    return JSON.stringify(body).includes('"total":4') ? true : undefined
  })
})

afterAll(async () => await service?.destroy())

/** Headers of a member who works in the first project. */
async function signIn(): Promise<Record<string, string>> {
  const catalog = openCatalog(service)
  try {
    const project = await catalog
      .selectFrom('projects')
      .select(['id', 'organisation_id'])
      .executeTakeFirstOrThrow()
    const organisationId = asOrganisationId(project.organisation_id)
    const customerId = await addMember(catalog, { organisationId, email: 'ada@example.org', role: 'member' })
    const tokens = new AccessTokens(loadJwtSecret(service.dataDir, undefined), systemClock)
    const token = await issueToken({ catalog, tokens }, customerId)
    return { authorization: `Bearer ${token}`, 'x-project-id': String(project.id) }
  } finally {
    await catalog.destroy()
  }
}

const call = async (method: string, body: object) =>
  await service.call(`${DASHBOARDS}/${method}`, body, headers)

interface StoredDashboard {
  readonly id: string
  readonly shareId?: string
  readonly tiles: readonly object[]
}

async function store(tiles: readonly object[]): Promise<StoredDashboard> {
  const { status, body } = await call('Upsert', { displayName: 'Growth', tiles })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.dashboard as StoredDashboard
}

/** The tiles' outcomes in an answer, without the tiles themselves. */
function outcomesOf(body: Record<string, unknown>): object[] {
  const { tiles } = body.dashboard as { readonly tiles: readonly Record<string, unknown>[] }
  return tiles.map(({ tile: _, ...outcome }) => outcome)
}

test('a dashboard answers each insight over its own range, and a text with nothing', async () => {
  const { id } = await store([
    countOf('visit'),
    { markdown: { body: '# Hello' } },
    countOf('sign_up'),
    insight({ insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_EVENT_KIND' } }),
  ])
  const { status, body, headers: told } = await call('QueryDashboard', { dashboardId: id })
  expect(status).toBe(200)
  expect(told.get('server-timing')).toMatch(
    /^store;dur=[\d.]+, rows;desc="[1-9]\d*", bytes;desc="[1-9]\d*", cache;/,
  )
  expect(outcomesOf(body)).toEqual([
    { result: { segmentation: { total: 3, values: [3] } } },
    {},
    { result: { segmentation: { total: 1, values: [1] } } },
    {
      result: {
        topK: {
          rows: [
            { dimensionValue: 'visit', value: 3 },
            { dimensionValue: 'sign_up', value: 1 },
          ],
        },
      },
    },
  ])
})

test('a dashboard answers for the range and the width that the request names', async () => {
  const { id } = await store([insight({ insightType: 'INSIGHT_TYPE_TRENDS' })])
  const { body } = await call('QueryDashboard', {
    dashboardId: id,
    timeRange: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T02:00:00Z' },
    granularity: 'GRANULARITY_HOUR',
  })
  const points = [{ time: '2026-01-01T00:00:00Z' }, { time: '2026-01-01T01:00:00Z' }]
  expect(outcomesOf(body)).toEqual([{ result: { trends: { series: [{ points }] } } }])
})

describe('a dashboard is refused', () => {
  test.each([
    ['more than 100 tiles', { tiles: Array(101).fill(countOf('a')) }, 'tiles'],
    ['a tile without a content', { tiles: [countOf('a'), {}] }, 'tiles[1]'],
    ['an insight without a type', { tiles: [insight({})] }, 'tiles[0].insight.spec.insightType'],
    [
      'an insight that lacks its events',
      { tiles: [countOf('a'), insight({ insightType: 'INSIGHT_TYPE_FUNNEL' })] },
      'tiles[1].insight.spec.events',
    ],
    [
      'an insight with a field of another',
      { tiles: [insight({ insightType: 'INSIGHT_TYPE_TRENDS', userFlow: {} })] },
      'tiles[0].insight.spec.userFlow',
    ],
    [
      'a text that is too long',
      { tiles: [{ markdown: { body: 'x'.repeat(65_537) } }] },
      'tiles[0].markdown.body',
    ],
    [
      'a place left of the grid',
      { tiles: [{ ...countOf('a'), position: { x: -1 } }] },
      'tiles[0].position.x',
    ],
    [
      'a threshold without an operator',
      { tiles: [{ ...countOf('a'), thresholds: [{ value: 1 }] }] },
      'tiles[0].thresholds[0].operator',
    ],
    ['no name', { displayName: '' }, 'displayName'],
    ['a name of spaces', { displayName: ' \n' }, 'displayName'],
  ])('for %s, which is named', async (_, request, field) => {
    const { status, body } = await call('Upsert', { displayName: 'Growth', ...request })
    expect(status).toBe(400)
    expect(String(body.message).split(': ')[0]).toBe(field)
  })

  test('a range that is too long for the width that the request names', async () => {
    const { id } = await store([])
    const { status, body } = await call('QueryDashboard', {
      dashboardId: id,
      timeRange: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      granularity: 'GRANULARITY_MINUTE',
    })
    expect([status, reasonOf(body)]).toEqual([400, 'INVALID_INSIGHT_QUERY'])
  })
})

describe('a shared dashboard', () => {
  const ask = async (request: object) => {
    const response = await fetch(`${service.url}/${SHARED}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const look = async (shareId: string) => await ask({ shareId })
  const share = async (id: string, isPublic: boolean): Promise<string> => {
    const { body } = await call('Update', { id, isPublic })
    return (body.dashboard as StoredDashboard).shareId ?? ''
  }

  test('is readable with its share id until the link is revoked', async () => {
    const { id } = await store([
      countOf('visit'),
      insight({ insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_USER' } }),
    ])
    const shareId = await share(id, true)
    const { status, text, headers: told } = await look(shareId)
    expect([status, told.get('server-timing'), told.get('x-time-zone')]).toEqual([200, null, 'UTC'])
    expect(outcomesOf(JSON.parse(text))).toMatchObject([
      { result: { segmentation: { total: 3, values: [3] } } },
      { result: { topK: { rows: [{ dimensionValue: '#1' }, {}, {}, {}] } } },
    ])
    expect(text).not.toMatch(/\bada\b|example|projectId|shareId/)
    expect(text).not.toContain(shareId)
    expect(await share(id, false)).toBe('')
    const revoked = await look(shareId)
    expect([revoked.status, reasonOf(JSON.parse(revoked.text))]).toEqual([404, 'DASHBOARD_NOT_FOUND'])
    const again = await share(id, true)
    expect(again).not.toBe(shareId)
    expect((await look(again)).status).toBe(200)
    expect((await look(shareId)).status).toBe(404)
  })

  test('with a password needs it once, and then the grant that its answer has', async () => {
    const { id } = await store([countOf('visit')])
    const shareId = await share(id, true)
    await call('Update', { id, sharePassword: 'correct horse' })
    const endOf = ({ status, text }: { readonly status: number; readonly text: string }) => [
      status,
      reasonOf(JSON.parse(text)),
    ]
    expect(endOf(await look(shareId))).toEqual([403, 'SHARE_PASSWORD_REQUIRED'])
    const wrong = await ask({ shareId, password: 'wrong horse' })
    expect(endOf(wrong)).toEqual([400, 'INVALID_REQUEST'])
    const unlocked = await ask({ shareId, password: 'correct horse' })
    expect([unlocked.status, unlocked.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { grant } = JSON.parse(unlocked.text) as { readonly grant: string }
    const { status, text } = await ask({ shareId, grant })
    expect(status).toBe(200)
    expect(outcomesOf(JSON.parse(text))).toMatchObject([{ result: { segmentation: { total: 3 } } }])
    expect(endOf(await ask({ shareId, grant: `${grant.slice(0, -1)}x` }))).toEqual([
      403,
      'SHARE_PASSWORD_REQUIRED',
    ])
  })

  test('is answered over all time of its project', async () => {
    const { id } = await store([countOf('visit')])
    const { status, text } = await ask({ shareId: await share(id, true), allTime: true })
    expect(status, text).toBe(200)
    expect(outcomesOf(JSON.parse(text))).toMatchObject([{ result: { segmentation: { total: 3 } } }])
  })

  test('may be in a frame of another site at its own address, when its dashboard allows it', async () => {
    const { id } = await store([countOf('visit')])
    const shareId = await share(id, true)
    const framesOf = async (path: string): Promise<(string | null | undefined)[]> => {
      const page = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } })
      await page.body?.cancel()
      const policy = page.headers.get('content-security-policy') ?? ''
      return [/frame-ancestors ([^;]+)/.exec(policy)?.[1], page.headers.get('x-frame-options')]
    }
    const NONE = ["'none'", 'DENY']
    expect(await framesOf(`/embed/${shareId}`)).toEqual(NONE)
    await call('Update', { id, isEmbeddable: true })
    expect(await framesOf(`/embed/${shareId}`)).toEqual(['*', null])
    for (const path of [`/share/${shareId}`, '/embed/unknown', '/'])
      expect(await framesOf(path)).toEqual(NONE)
    await share(id, false)
    expect(await framesOf(`/embed/${shareId}`)).toEqual(NONE)
  })
})
