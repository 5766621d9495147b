import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { invalidFields } from '../invalid-field.ts'
import { encodeTile } from './stored-dashboard.ts'

/** A dashboard whose tiles are replaced. */
export interface TileReplacement {
  readonly dashboardId: string
  readonly before: readonly DashboardTile[]
  /** All tiles that remain or are new. */
  readonly inputs: readonly DashboardTileInput[]
  readonly nowMs: number
}

/**
 * The tiles after a replacement. One that names its id keeps it, with the time of its creation; the time of its change too
 * when it did not change. Throws `invalid_argument` for ids that the dashboard does not have, or that come twice.
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

type TileFrame = Pick<DashboardTile, 'id' | 'dashboardId' | 'createTime' | 'updateTime'>

function toTile(
  { $typeName, $unknown, id: _, ...input }: DashboardTileInput,
  { id, dashboardId, createTime, updateTime }: TileFrame,
): DashboardTile {
  return { ...create(DashboardTileSchema, { ...input, id, dashboardId }), createTime, updateTime }
}

function checkIds(inputs: readonly DashboardTileInput[], known: ReadonlyMap<string, DashboardTile>): void {
  const seen = new Set<string>()
  const violations = inputs.flatMap(({ id }, index) => {
    const field = `tiles[${index}].id`
    if (id === '') return []
    if (!known.has(id)) return [{ field, description: 'names no tile of this dashboard; empty creates one' }]
    if (seen.has(id)) return [{ field, description: 'comes twice' }]
    seen.add(id)
    return []
  })
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_REQUEST')
}
