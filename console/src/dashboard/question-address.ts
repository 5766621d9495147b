import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { writeSpec } from '../insight/spec-json.ts'
import { viewOfStored } from '../insight/tile-view.ts'

/** The question of a tile and how its answer is shown, as an address has it; `undefined` for a text. */
export function writeTileQuestion(tile: DashboardTile): Record<string, string> | undefined {
  const spec = tile.content.case === 'insight' ? tile.content.value.spec : undefined
  if (!spec) return undefined
  return {
    spec: writeSpec(spec),
    view: viewOfStored(tile),
    ...(tile.compare === ComparePeriod.PRIOR && { compare: 'prior' }),
  }
}
