import { create } from '@bufbuild/protobuf'
import { type Dashboard, DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { JSX } from 'solid-js'
import { navigate } from '../context/router.ts'
import { updateStar } from '../context/starred.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { writeFailure } from '../rpc/failure-text.ts'
import { queryClient } from '../rpc/query-client.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { showToast } from '../ui/toast.tsx'
import { keepDashboard } from './change-tiles.ts'
import { toInput } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** The key of the list of dashboards among the answers that pages share. */
export function dashboardsKey(projectId: string): readonly string[] {
  return ['dashboards', projectId]
}

/** Opens a new dashboard with the tiles and settings of another, without its link. */
export async function duplicateBoard(projectId: string, from: Dashboard): Promise<void> {
  try {
    const { dashboard } = await dashboardsClient.upsert({
      displayName: t('dashboards.copyOf', { name: from.displayName }).slice(0, 255),
      description: from.description,
      defaultTimeRange: from.defaultTimeRange,
      defaultGranularity: from.defaultGranularity,
      tiles: from.tiles.map((tile) => create(DashboardTileInputSchema, { ...toInput(tile), id: '' })),
    })
    if (dashboard) openBoard(projectId, dashboard)
  } catch (thrown) {
    showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
  }
}

/** Opens a dashboard that was just stored, without fetching it. */
export function openBoard(projectId: string, dashboard: Dashboard): void {
  keepDashboard(dashboard)
  void queryClient.invalidateQueries({ queryKey: dashboardsKey(projectId) })
  navigate(`/p/${projectId}/dashboards/${dashboard.id}`)
}

/** Confirms the deletion of a dashboard: its public link cannot be restored. */
export function DeleteBoard(props: {
  readonly projectId: string
  readonly dashboard: Pick<Dashboard, 'id' | 'displayName'>
  readonly onClose: () => void
}): JSX.Element {
  const remove = async (): Promise<void> => {
    const { id } = props.dashboard
    await dashboardsClient.delete({ id })
    updateStar(props.projectId, `dashboards/${id}`, undefined)
    await queryClient.invalidateQueries({ queryKey: dashboardsKey(props.projectId) })
    navigate(`/p/${props.projectId}/dashboards`)
  }
  return (
    <ConfirmDialog
      title={t('dashboards.deleteTitle', { name: props.dashboard.displayName })}
      text={t('dashboards.deleteText')}
      verb={t('dashboards.delete')}
      isOpen
      onClose={props.onClose}
      onConfirm={remove}
    />
  )
}
