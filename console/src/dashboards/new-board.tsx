import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Input } from '../ui/input.tsx'
import { openBoard } from './board-changes.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** Names a new dashboard, and opens it. */
export function NewBoard(props: { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal('')
  const create = async (): Promise<void> => {
    const { dashboard } = await dashboardsClient.create({ displayName: name().trim() })
    if (dashboard) openBoard(workspace().project.id, dashboard)
  }
  return (
    <ActionDialog
      title={t('dashboards.new')}
      verb={t('common.create')}
      isBlocked={name().trim() === ''}
      onClose={props.onClose}
      onAct={create}
    >
      <Input
        label={t('common.name')}
        placeholder={t('dashboards.newPlaceholder')}
        maxlength={255}
        value={name()}
        onInput={setName}
      />
    </ActionDialog>
  )
}
