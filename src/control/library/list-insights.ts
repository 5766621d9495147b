import {
  type ListRequest,
  ListRequest_Sort as Sort,
} from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { decodeInsight, type SavedInsight } from './saved-insight.ts'

/** One page of a list. */
export interface InsightPage {
  readonly insights: readonly SavedInsight[]
  readonly nextPageToken: string
  readonly totalCount: number
  readonly tags: readonly string[]
  readonly creators: readonly string[]
}

const PAGE_SIZE = 50

/** The parts of an insight that a list selects and sorts by. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly type: number
  readonly createdBy: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** The place of an insight in a list: a number or a text, and the id where these are equal. */
type Position = readonly [key: number | string, id: string]

/**
 * One page of the insights of a project. All names are read and selected here: databases differ in how they fold case and
 * sort texts. Throws `invalid_argument` for a page token of another sort.
 */
export async function listInsights(
  catalog: Catalog,
  request: ListRequest,
  { projectId, favorites }: { readonly projectId: ProjectId; readonly favorites: ReadonlySet<string> },
): Promise<InsightPage> {
  const sort = request.sort || Sort.UPDATED
  const after = parsePosition(request.pageToken, sort)
  const all = await loadEntries(catalog, projectId)
  const found = all
    .filter((entry) => isSelected(entry, request, favorites))
    .map((entry) => ({ id: entry.id, position: positionOf(entry, sort) }))
    .sort((a, b) => comparePositions(a.position, b.position, sort))
  const rest = after ? found.filter(({ position }) => comparePositions(position, after, sort) > 0) : found
  const page = rest.slice(0, request.pageSize || PAGE_SIZE)
  const last = page.at(-1)
  return {
    insights: await loadInsights(
      catalog,
      page.map(({ id }) => id),
    ),
    nextPageToken: last && page.length < rest.length ? encodePageToken([sort, ...last.position]) : '',
    totalCount: found.length,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(),
    creators: [...new Set(all.map(({ createdBy }) => createdBy))].filter((id) => id !== '').sort(),
  }
}

async function loadEntries(catalog: Catalog, projectId: ProjectId): Promise<readonly Entry[]> {
  const rows = await catalog
    .selectFrom('saved_insights')
    .select(['id', 'name', 'description', 'tags', 'insight_type', 'created_by', 'created_ms', 'updated_ms'])
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    tags: JSON.parse(row.tags),
    type: row.insight_type,
    createdBy: row.created_by,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }))
}

/** In the order of the ids; one that has just been deleted is left out. */
async function loadInsights(catalog: Catalog, ids: readonly string[]): Promise<readonly SavedInsight[]> {
  if (ids.length === 0) return []
  const rows = await catalog.selectFrom('saved_insights').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [decodeInsight(row)] : []
  })
}

function isSelected(entry: Entry, request: ListRequest, favorites: ReadonlySet<string>): boolean {
  const { search, tags, createdBy, types, favoritesOnly } = request
  const own = entry.tags.map((tag) => tag.toLowerCase())
  return (
    (!favoritesOnly || favorites.has(entry.id)) &&
    (createdBy === '' || entry.createdBy === createdBy) &&
    (types.length === 0 || types.some((type) => type === entry.type)) &&
    tags.every((tag) => own.includes(tag.toLowerCase())) &&
    [entry.name, entry.description, ...own].some((text) => text.toLowerCase().includes(search.toLowerCase()))
  )
}

function positionOf({ id, name, createdMs, updatedMs }: Entry, sort: Sort): Position {
  if (sort === Sort.NAME) return [name.toLowerCase(), id]
  return [sort === Sort.CREATED ? createdMs : updatedMs, id]
}

/** Names ascend, times descend; equal ones ascend by id. */
function comparePositions([a, idA]: Position, [b, idB]: Position, sort: Sort): number {
  if (a === b) return idA < idB ? -1 : Number(idA > idB)
  return a < b === (sort === Sort.NAME) ? -1 : 1
}

function parsePosition(token: string, sort: Sort): Position | undefined {
  if (token === '') return undefined
  const [tokenSort, key, id, ...rest] = decodePageToken(token)
  const isKey = typeof key === (sort === Sort.NAME ? 'string' : 'number')
  const isId = typeof id === 'string' && isCanonicalUuid(id)
  if (tokenSort !== sort || !isKey || !isId || rest.length > 0) throw invalidPageToken()
  return [key as number | string, id]
}
