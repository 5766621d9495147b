import { afterAll, beforeAll, expect, test } from 'vitest'
import { reasonOf, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const PROJECTS = 'dashboard.projects.v1.ProjectsService'
const QUERY = 'shared.insights.v1.InsightsService/Query'
const ADMIN = { email: 'root@example.org', password: 'a long enough password' }
const DAY_MS = 86_400_000

let service: TestService
let authorization: string
let orgId: string

beforeAll(async () => {
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
  })
  const { token } = (await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)).body
  authorization = `Bearer ${String(token)}`
  const { orgs } = await ask('dashboard.orgs.v1.OrgsService/List', {})
  orgId = (orgs as readonly { readonly id: string }[])[0]?.id ?? ''
})

afterAll(async () => await service?.destroy())

async function call(method: string, request: object, projectId = '') {
  const headers = { 'x-api-key': '', authorization, 'cache-control': 'no-cache' }
  return await service.call(
    method,
    request,
    projectId === '' ? headers : { ...headers, 'x-project-id': projectId },
  )
}

async function ask(method: string, request: object, projectId = ''): Promise<Record<string, unknown>> {
  const { status, body } = await call(method, request, projectId)
  if (status !== 200) throw new Error(`${method} answers ${status} ${JSON.stringify(body)}`)
  return body
}

const createDemo = async (displayName: string) =>
  await call(`${PROJECTS}/Create`, { orgId, displayName, isDemo: true })

/** The totals of kinds of events in the 60 days up to now, and of one part of them. */
async function totalsOf(projectId: string, kinds: readonly string[], fromMs: number): Promise<number[]> {
  const timeRange = { from: new Date(fromMs).toISOString(), to: new Date().toISOString() }
  const totals = kinds.map(async (kind) => {
    const spec = { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind } }] }
    const answer = await ask(QUERY, { spec, timeRange, granularity: 'GRANULARITY_DAY' }, projectId)
    return Number((answer.segmentation as { readonly total?: number }).total ?? 0)
  })
  return await Promise.all(totals)
}

test('a demo project has two months of traffic up to this minute, and can be deleted', async () => {
  const before = Date.now()
  const { status, body } = await createDemo('Demo')
  expect(status).toBe(200)
  const project = body.project as { readonly id: string; readonly isDemo: boolean }
  expect(project).toMatchObject({ displayName: 'Demo', isDemo: true, excludeBots: true })

  const [all = 0, signUps = 0, purchases = 0] = await totalsOf(
    project.id,
    ['', 'signup', 'purchase'],
    before - 61 * DAY_MS,
  )
  expect(all).toBe(60_000)
  expect(signUps).toBeGreaterThan(purchases / 2)
  expect(purchases).toBeGreaterThan(100)
  // Traffic neither stops early nor runs ahead of the clock.
  const [lastDay = 0, dayBefore = 0] = await Promise.all([
    totalsOf(project.id, [''], before - DAY_MS).then(([total]) => total),
    totalsOf(project.id, [''], before - 2 * DAY_MS).then(([total]) => total),
  ])
  expect(lastDay).toBeGreaterThan(300)
  expect(dayBefore - lastDay).toBeGreaterThan(300)
  const { events } = await ask('shared.activity.v1.ActivityService/GetEventExplorer', {}, project.id)
  const [newest] = events as readonly { readonly occurTime: string; readonly autoProperties: object }[]
  expect(Date.parse(newest?.occurTime ?? '')).toBeGreaterThan(before - 3_600_000)
  expect(Date.parse(newest?.occurTime ?? '')).toBeLessThan(Date.now())
  expect(newest?.autoProperties).toMatchObject({ $channel: expect.any(String), $title: expect.any(String) })

  // Users who signed up are identified, under both of their ids.
  const stats = await waitFor('a profile', async () => {
    const answer = await call(
      'shared.insights.v1.InsightsService/SegmentUsers',
      {
        events: [{ event: { kind: 'signup' } }],
        timeRange: { from: new Date(before - 61 * DAY_MS).toISOString(), to: new Date().toISOString() },
      },
      project.id,
    )
    const [first] = (answer.body.distinctIds ?? []) as readonly string[]
    const profile = await call(
      'shared.profiles.v1.ProfilesService/GetByExternalId',
      { externalId: first },
      project.id,
    )
    return profile.status === 200 ? profile.body : undefined
  })
  expect(stats).toMatchObject({ profile: { properties: { email: expect.stringContaining('@example.org') } } })

  const second = await createDemo('Another')
  expect([second.status, reasonOf(second.body)]).toEqual([412, 'LIMIT_REACHED'])
  await ask(`${PROJECTS}/Delete`, {}, project.id)
  const { projects } = await ask(`${PROJECTS}/BatchGet`, { orgId })
  expect(projects).toMatchObject([{ displayName: 'Default' }])
}, 120_000)
