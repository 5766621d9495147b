import { create } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  type DashboardTileInput,
  DashboardTileInputSchema,
} from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { t } from '../i18n/translate.ts'
import '../library/messages.ts'
import { Failure } from '../rpc/failure.ts'
import { writeFailure } from '../rpc/failure-text.ts'
import { showToast, showUndo } from '../ui/toast.tsx'
import { TILES_MAX, withTile } from './change-tiles.ts'
import type { Editing } from './editing.ts'
import { titleOfTile } from './tile.tsx'
import { toInput } from './tile-view.ts'

/** Runs a change at once, and shows a message if it fails. */
async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (thrown) {
    showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    return false
  }
}

/** Adds a tile where there is room. Throws the errors of the calls, and `Failure` when the dashboard is full. */
export async function insertTile(editing: Editing, tile: DashboardTileInput): Promise<void> {
  await editing.store((tiles) => {
    if (tiles.length >= TILES_MAX)
      throw new Failure({ code: 'failed_precondition', message: t('dashboards.full') })
    return withTile(tiles, tile)
  })
  showToast({ text: t('dashboards.tileAdded', { name: tile.displayName || t('dashboards.text') }) })
}

/** Adds a copy of a tile where there is room. */
export async function duplicateTile(editing: Editing, tile: DashboardTile): Promise<void> {
  await attempt(
    async () => await insertTile(editing, create(DashboardTileInputSchema, { ...toInput(tile), id: '' })),
  )
}

/** Gives a tile the query of the saved insight that it follows as its own. */
export async function detachTile(editing: Editing, tile: DashboardTile): Promise<void> {
  const isDetached = await attempt(
    async () =>
      await editing.store((tiles) => tiles.map((other) => (other.id === tile.id ? detached(other) : other))),
  )
  if (isDetached) showToast({ text: t('library.detached', { name: titleOfTile(tile) }) })
}

function detached(tile: DashboardTileInput): DashboardTileInput {
  const { content } = tile
  if (content.case !== 'insight') return tile
  return { ...tile, content: { case: 'insight', value: { ...content.value, savedInsightId: '' } } }
}

/** Removes a tile at once; for a while a message offers to put it back where it was. */
export async function removeTile(editing: Editing, tile: DashboardTile): Promise<void> {
  const isGone = await attempt(async () => {
    await editing.store((tiles) => tiles.filter(({ id }) => id !== tile.id))
  })
  if (!isGone) return
  const again = create(DashboardTileInputSchema, { ...toInput(tile), id: '' })
  showUndo(t('dashboards.tileRemoved', { name: titleOfTile(tile) }), () => {
    void attempt(async () => await editing.store((tiles) => [...tiles, again]))
  })
}
