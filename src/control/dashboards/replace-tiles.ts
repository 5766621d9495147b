import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { invalidFields } from '../invalid-field.ts'
import { withoutFollowedSpec } from './follow-insights.ts'
import { encodeTile } from './stored-dashboard.ts'

/** A replacement of a dashboard's tiles. */
export interface TileReplacement {
  readonly dashboardId: string
  readonly before: readonly DashboardTile[]
  /** All remaining and new tiles. */
  readonly inputs: readonly DashboardTileInput[]
  readonly nowMs: number
}

/**
 * The tiles after a replacement. A tile with an id keeps the id and its creation time, and its update time unless its
 * content changed. Throws `invalid_argument` for unknown and duplicate ids.
 */
export function replaceTiles({ dashboardId, before, inputs, nowMs }: TileReplacement): DashboardTile[] {
  const known = new Map(before.map((tile) => [tile.id, tile]))
  checkIds(inputs, known)
  const now = timestampFromMs(nowMs)
  return inputs.map((input) => {
    const old = known.get(input.id)
    if (!old) return toTile(input, { id: randomUUID(), dashboardId, createTime: now, updateTime: now })
    const same = toTile(input, old)
    return encodeTile(same) === encodeTile(old) ? old : { ...same, updateTime: now }
  })
}

type TileIdentity = Pick<DashboardTile, 'id' | 'dashboardId' | 'createTime' | 'updateTime'>

function toTile(
  { $typeName, $unknown, id: _, ...input }: DashboardTileInput,
  { id, dashboardId, createTime, updateTime }: TileIdentity,
): DashboardTile {
  const content = withoutFollowedSpec(input.content)
  return { ...create(DashboardTileSchema, { ...input, content, id, dashboardId }), createTime, updateTime }
}

function checkIds(inputs: readonly DashboardTileInput[], known: ReadonlyMap<string, DashboardTile>): void {
  const seen = new Set<string>()
  const violations = inputs.flatMap(({ id }, index) => {
    const field = `tiles[${index}].id`
    if (id === '') return []
    if (!known.has(id))
      return [{ field, description: 'is not a tile of this dashboard; leave it empty to create one' }]
    if (seen.has(id)) return [{ field, description: 'is a duplicate' }]
    seen.add(id)
    return []
  })
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_REQUEST')
}
