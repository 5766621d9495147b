import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { openBoard } from './board-changes.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** Names a new dashboard, and opens it. */
export function NewBoard(props: { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal('')
  const action = createAction()
  const create = async (): Promise<void> => {
    const { dashboard } = await dashboardsClient.create({ displayName: name().trim() })
    if (dashboard) openBoard(workspace().project.id, dashboard)
  }
  return (
    <Dialog
      title={t('dashboards.new')}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            isDisabled={name().trim() === ''}
            isLoading={action.isRunning()}
            onClick={() => action.run(create)}
          >
            {t('common.create')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name().trim() !== '') action.run(create)
        }}
      >
        <Input
          label={t('common.name')}
          placeholder={t('dashboards.newPlaceholder')}
          maxlength={255}
          value={name()}
          onInput={setName}
        />
      </form>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
