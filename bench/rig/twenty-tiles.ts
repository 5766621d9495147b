import { ADMIN } from '../../test/harness/console-service.ts'
import type { BenchmarkQuery } from '../insights/benchmark-query.ts'
import { QUERIES } from '../insights/queries/queries.ts'
import type { Teardown } from '../teardown.ts'
import { call } from './call.ts'
import { type BenchService, startService } from './service.ts'

const TILES = 20
const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'

/** A dashboard whose tiles are the first queries of the insights benchmark. */
export interface TwentyTiles {
  readonly dashboardId: string
  readonly queries: readonly BenchmarkQuery[]
  /** Calls a method as the owner of the dashboard. Throws when it is refused. */
  call(
    method: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>>
}

/** Starts the service on a folder that the insights benchmark kept, with an account that may sign in. */
export async function startOnWorld(
  teardown: Teardown,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  return await startService(teardown, {
    SERVICE_DATA_DIR: folder,
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
    ...settings,
  })
}

/** Creates the dashboard in a project: queries of all types, three in a row. */
export async function createTwentyTiles(service: BenchService, project: string): Promise<TwentyTiles> {
  const { token } = await call(service, 'public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  const owner = { authorization: `Bearer ${token}`, 'x-project-id': project }
  const queries = QUERIES.slice(0, TILES)
  if (queries.length < TILES) throw new Error(`there are only ${queries.length} queries`)
  const displayName = 'Twenty tiles'
  const created = await call(service, `${DASHBOARDS}/Create`, { displayName }, owner)
  const { id: dashboardId } = created.dashboard as { readonly id: string }
  const tiles = queries.map(toTile)
  await call(service, `${DASHBOARDS}/Upsert`, { id: dashboardId, displayName, tiles }, owner)
  return {
    dashboardId,
    queries,
    call: async (method, body, headers = {}) => await call(service, method, body, { ...owner, ...headers }),
  }
}

/** The range of a dashboard, in proto JSON. */
export interface Shown {
  readonly timeRange: { readonly from: string; readonly to: string }
  readonly granularity: string
}

/** Headers of a call that takes nothing from the cache. */
export const FRESH = { 'cache-control': 'no-cache' } as const

/** Queries all tiles, none from the cache. Throws when one fails. */
export async function queryDashboard({ call, dashboardId }: TwentyTiles, shown: Shown): Promise<void> {
  const { dashboard } = await call(`${DASHBOARDS}/QueryDashboard`, { dashboardId, ...shown }, FRESH)
  const { tiles } = dashboard as { readonly tiles: readonly { readonly errorMessage?: string }[] }
  const failed = tiles.find(({ errorMessage }) => errorMessage !== undefined)
  if (failed) throw new Error(`a tile failed: ${failed.errorMessage}`)
}

function toTile({ name, request }: BenchmarkQuery, index: number): object {
  const position = { x: (index % 3) * 4, y: Math.floor(index / 3) * 7, w: 4, h: 7 }
  return { displayName: name, insight: { spec: request.spec }, position }
}
