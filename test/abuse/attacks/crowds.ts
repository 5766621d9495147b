import { setTimeout as delay } from 'node:timers/promises'
import { call, JSON_CALL } from '../client.ts'
import { type Attack, type Endings, onLanes } from '../statement.ts'
import type { Target } from '../target.ts'
import { askAndNote } from './endings.ts'

const SIGN_IN = '/public.auth.v1.AuthService/SignInWithEmail'

/** Wrong passwords from networks that are not known yet. */
function guessing(
  title: string,
  lanes: number,
  emailOf: (index: number) => string,
  networkOf: (index: number) => string,
): Attack {
  let attempts = 0
  return {
    title,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      await onLanes(lanes, untilMs, async () => {
        const index = attempts++
        await askAndNote(endings, service.url, {
          path: SIGN_IN,
          headers: { ...JSON_CALL, 'x-forwarded-for': networkOf(index) },
          body: JSON.stringify({ email: emailOf(index), password: 'wrong' }),
          from: service.attacker,
        })
        await delay(10)
      })
      return endings
    },
    allowed: /^no answer$/,
  }
}

const network4 = (index: number): string =>
  `11.${Math.floor(index / 65_536) % 256}.${Math.floor(index / 256) % 256}.${index % 256}`
const network6 = (index: number): string =>
  `2001:db8:${(index % 65_536).toString(16)}:${Math.floor(index / 65_536).toString(16)}::1`

interface Calls {
  readonly lanes: number
  readonly path: string
  key(service: Target): string
  body(turn: number): string
}

/** A tenant that sends more queries than its share. */
function calling(title: string, { lanes, path, key, body }: Calls): Attack {
  let turn = 0
  return {
    title,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      await onLanes(lanes, untilMs, async () => {
        await askAndNote(endings, service.url, {
          path,
          headers: { ...JSON_CALL, 'x-api-key': key(service), 'cache-control': 'no-cache' },
          body: body(turn++),
          from: service.attacker,
        })
      })
      return endings
    },
    allowed: /^no answer$/,
  }
}

const OTHER = ({ other }: Target): string => other.privateKey
const QUERY = '/shared.insights.v1.InsightsService/Query'
const YEAR = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' }

/** A query with as many filters as fit into a body. */
function manyFilters(count: number, turn: number): string {
  const filters = Array.from({ length: count }, (_, index) => ({
    property: `p${index}`,
    operator: 'FILTER_OPERATOR_CONTAINS',
    value: `v${turn}`,
  }))
  return JSON.stringify({
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', filterGroups: [{ filters }] },
    granularity: 'GRANULARITY_DAY',
    timeRange: YEAR,
  })
}

function manySeries(count: number, turn: number): string {
  const events = Array.from({ length: count }, (_, index) => ({ event: { kind: `k${turn}_${index}` } }))
  return JSON.stringify({
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events },
    granularity: 'GRANULARITY_DAY',
    timeRange: YEAR,
  })
}

const BRACKETS = '['.repeat(50_000)

/** A dashboard of an admin whose text is made to be slow. */
const dashboards: Attack = {
  title: '8 at once store dashboards of 50,000 brackets',
  run: async (service, untilMs) => {
    const endings: Endings = new Map()
    const { token } = await service.signIn()
    await onLanes(8, untilMs, async () => {
      await askAndNote(endings, service.url, {
        path: '/dashboard.dashboards.v1.DashboardsService/Upsert',
        headers: { ...JSON_CALL, authorization: `Bearer ${token}`, 'x-project-id': service.other.projectId },
        body: JSON.stringify({
          displayName: 'x',
          tiles: Array.from({ length: 20 }, () => ({ displayName: 'x', markdown: { body: BRACKETS } })),
        }),
        from: service.attacker,
      })
    })
    return endings
  },
}

/** A shared dashboard that anonymous callers read for the longest range. */
const shared: Attack = {
  title: '64 anonymous callers at once read a shared dashboard for different ranges',
  run: async (service, untilMs) => {
    const endings: Endings = new Map()
    const { token } = await service.signIn()
    const headers = { authorization: `Bearer ${token}`, 'x-project-id': service.other.projectId }
    const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
    const spec = { insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_USER' } }
    const tiles = Array.from({ length: 10 }, () => ({ displayName: 'x', insight: { spec } }))
    const made = await call(service.url, `${DASHBOARDS}/Upsert`, { displayName: 'shared', tiles }, headers)
    const { id } = (made.json.dashboard ?? {}) as { readonly id?: string }
    const update = await call(
      service.url,
      `${DASHBOARDS}/Update`,
      { id, isPublic: true, displayName: 'shared' },
      headers,
    )
    const { shareId } = (update.json.dashboard ?? {}) as { readonly shareId?: string }
    if (shareId === undefined)
      throw new Error(`no dashboard is shared: ${made.status} ${JSON.stringify(made.json)} ${update.status}`)
    let turn = 0
    await onLanes(64, untilMs, async () => {
      const from = new Date(Date.UTC(2017, 0, 1) + turn++ * 60_000).toISOString()
      await askAndNote(endings, service.url, {
        path: '/public.dashboards.v1.SharedDashboardsService/Query',
        body: JSON.stringify({
          shareId,
          timeRange: { from, to: '2026-12-01T00:00:00Z' },
          granularity: 'GRANULARITY_MONTH',
        }),
        from: service.attacker,
      })
      await delay(10)
    })
    return endings
  },
  allowed: /^no answer$/,
}

/** Users and tenants that send more requests than others. */
export const crowds: readonly Attack[] = [
  guessing(
    'wrong passwords for many accounts from many networks',
    64,
    (index) => `junk-${index}@example.org`,
    network4,
  ),
  guessing(
    'wrong passwords for many accounts from many networks of IPv6',
    64,
    (index) => `junk6-${index}@example.org`,
    network6,
  ),
  guessing(
    'wrong passwords of 1,024 letters that grow when they are normalised',
    64,
    (index) => `long-${index}@example.org`,
    network4,
  ),
  guessing('wrong passwords for one account from many networks', 32, () => 'victim@example.org', network4),
  calling('32 callers at once send queries of 1,000 filters', {
    lanes: 32,
    path: QUERY,
    key: OTHER,
    body: (turn) => manyFilters(1000, turn),
  }),
  calling('8 callers at once send queries of 50,000 filters', {
    lanes: 8,
    path: QUERY,
    key: OTHER,
    body: (turn) => manyFilters(50_000, turn),
  }),
  calling('8 callers at once send queries of 50,000 series', {
    lanes: 8,
    path: QUERY,
    key: OTHER,
    body: (turn) => manySeries(50_000, turn),
  }),
  calling('32 callers at once send queries of 50 series', {
    lanes: 32,
    path: QUERY,
    key: OTHER,
    body: (turn) => manySeries(50, turn),
  }),
  calling('32 at once describe people with 20,000 traits each', {
    lanes: 32,
    path: '/sdk.profiles.v1.ProfilesSDKService/Identify',
    key: ({ publicKey }) => publicKey,
    body: (turn) =>
      JSON.stringify({
        externalId: `many-${turn}`,
        traits: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`t${index}`, index])),
      }),
  }),
  calling('8 at once call 2,000 tools in one message', {
    lanes: 8,
    path: '/mcp',
    key: OTHER,
    body: () =>
      JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
  }),
  calling('16 at once list the tools of agents', {
    lanes: 16,
    path: '/mcp',
    key: OTHER,
    body: (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
  }),
  dashboards,
  shared,
]
