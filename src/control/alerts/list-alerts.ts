import type { AlertsServiceListRequest } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { decodeAlert, type StoredAlert } from './alert.ts'

/** One page of a list. */
export interface AlertPage {
  readonly alerts: readonly StoredAlert[]
  readonly nextPageToken: string
  readonly totalCount: number
  readonly firingCount: number
}

const PAGE_SIZE = 50

/** Firing alerts come first, then the name in lower case and the id decide. */
type Position = readonly [rank: number, name: string, id: string]

/**
 * One page of the alerts of a project. All names are read and selected here: databases differ in how they fold case and sort
 * texts. Throws `invalid_argument` for a page token of another list.
 */
export async function listAlerts(
  catalog: Catalog,
  request: AlertsServiceListRequest,
  projectId: ProjectId,
): Promise<AlertPage> {
  const { search, firingOnly, savedInsightId, pageSize, pageToken } = request
  const after = parsePosition(pageToken)
  const all = await catalog
    .selectFrom('alerts')
    .select(['id', 'name', 'state', 'paused', 'saved_insight_id'])
    .where('project_id', '=', projectId)
    .execute()
  const firing = all.filter(({ state, paused }) => state === 'firing' && paused === 0)
  const found = (firingOnly ? firing : all)
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .filter((row) => savedInsightId === '' || row.saved_insight_id === savedInsightId)
    .map(
      ({ id, name, state, paused }): Position => [
        state === 'firing' && paused === 0 ? 0 : 1,
        name.toLowerCase(),
        id,
      ],
    )
    .sort(comparePositions)
  const rest = after ? found.filter((position) => comparePositions(position, after) > 0) : found
  const page = rest.slice(0, pageSize || PAGE_SIZE)
  const last = page.at(-1)
  return {
    alerts: await loadAlerts(
      catalog,
      page.map(([, , id]) => id),
    ),
    nextPageToken: last && page.length < rest.length ? encodePageToken([...last]) : '',
    totalCount: found.length,
    firingCount: firing.length,
  }
}

/** In the order of the ids; one that has just been deleted is left out. */
async function loadAlerts(catalog: Catalog, ids: readonly string[]): Promise<readonly StoredAlert[]> {
  if (ids.length === 0) return []
  const rows = await catalog.selectFrom('alerts').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [decodeAlert(row)] : []
  })
}

function comparePositions([rank, name, id]: Position, [otherRank, otherName, otherId]: Position): number {
  if (rank !== otherRank) return rank - otherRank
  if (name !== otherName) return name < otherName ? -1 : 1
  return id < otherId ? -1 : Number(id > otherId)
}

function parsePosition(token: string): Position | undefined {
  if (token === '') return undefined
  const [rank, name, id, ...rest] = decodePageToken(token)
  const isPosition = typeof rank === 'number' && typeof name === 'string' && typeof id === 'string'
  if (!isPosition || rest.length > 0) throw invalidPageToken()
  return [rank, name, id]
}
