import './messages.ts'
import './dashboard.css'
import { create } from '@bufbuild/protobuf'
import { type Dashboard, DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { queryClient } from '../rpc/query-client.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { dashboardsKey } from './board-changes.tsx'
import { addTile } from './change-tiles.ts'
import { type SavedInsight, tileFieldsOf } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** Adds an insight to an existing or a new dashboard. */
export function SaveToDashboard(props: SavedInsight & { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const projectId = (): string => workspace().project.id
  const action = createAction()
  const asked = useQuery(() => ({
    queryKey: dashboardsKey(projectId()),
    queryFn: async () => (await dashboardsClient.list({})).dashboards,
  }))
  const known = (): readonly Dashboard[] => (asked.isSuccess ? asked.data : [])
  const [chosen, setChosen] = createSignal('')
  const [name, setName] = createSignal('')
  const [title, setTitle] = createSignal('')
  const isReady = (): boolean => title().trim() !== '' && (chosen() !== '' || name().trim() !== '')
  const save = async (): Promise<void> => {
    const id =
      chosen() === '' ? (await dashboardsClient.create({ displayName: name() })).dashboard?.id : chosen()
    if (id === undefined) return
    // A retry after a failure adds to the dashboard that was just created.
    setChosen(id)
    await addTile(id, create(DashboardTileInputSchema, { displayName: title(), ...tileFieldsOf(props) }))
    void queryClient.invalidateQueries({ queryKey: dashboardsKey(projectId()) })
    const address = `/p/${projectId()}/dashboards/${id}`
    showToast({
      text: t('dashboards.tileAdded', { name: title() }),
      action: { label: t('dashboards.openBoard'), run: () => void navigate(address) },
    })
    props.onClose()
  }
  return (
    <Dialog
      title={t('dashboards.addTo')}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            isDisabled={!isReady()}
            isLoading={action.isRunning()}
            onClick={() => action.run(save)}
          >
            {t('common.add')}
          </Button>
        </>
      }
    >
      <div class="save-insight">
        <Input label={t('dashboards.tileName')} maxlength={255} value={title()} onInput={setTitle} />
        <Select
          label={t('dashboards.board')}
          value={chosen()}
          options={[
            { value: '', label: t('dashboards.new') },
            ...known().map(({ id, displayName }) => ({ value: id, label: displayName })),
          ]}
          onChange={setChosen}
        />
        <Show when={chosen() === ''}>
          <Input label={t('dashboards.boardName')} maxlength={255} value={name()} onInput={setName} />
        </Show>
        <Show when={action.failure() ?? asked.error}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </div>
    </Dialog>
  )
}
