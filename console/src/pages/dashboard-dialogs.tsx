import { create } from '@bufbuild/protobuf'
import { DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { addTile } from '../dashboards/change-tiles.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { CheckField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** Adds a text to a dashboard. */
export function AddText(props: {
  readonly id: string
  readonly onClose: () => void
  readonly onAdded: () => void
}): JSX.Element {
  const [body, setBody] = createSignal('')
  const save = async (): Promise<void> => {
    const content = { case: 'markdown', value: { body: body() } } as const
    await addTile(props.id, create(DashboardTileInputSchema, { content }))
    props.onAdded()
  }
  return (
    <Drawer title="Add text" look="dialog" onClose={props.onClose}>
      <Form submit="Add" onSubmit={save}>
        {() => (
          <label class="field">
            <span class="label">Markdown</span>
            <textarea
              rows="6"
              required
              value={body()}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          </label>
        )}
      </Form>
    </Drawer>
  )
}

/** Opens the sharing settings of a dashboard. */
export function ShareButton(props: { readonly id: string }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Share
      </button>
      <Show when={isOpen()}>
        <ShareDialog id={props.id} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

/** The label of a share with a fixed time range. */
const PINNED = "Show only the dashboard's default time range"

function ShareDialog(props: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const action = createAction()
  const [dashboard, { refetch }] = createResource(
    async () => (await dashboardsClient.get({ id: props.id })).dashboard,
  )
  // The most private choice is the default.
  const [isPinned, setPinned] = createSignal(true)
  const change = (request: { isPublic?: boolean; isRangePinned?: boolean }) => async (): Promise<void> => {
    await dashboardsClient.update({ id: props.id, ...request })
    await refetch()
  }
  const linkOf = (shareId: string): string => `${location.origin}/share/${shareId}`
  return (
    <Drawer title="Share this dashboard" look="dialog" onClose={props.onClose}>
      <Async of={dashboard} retry={() => void refetch()} lines={2}>
        {(loaded) => (
          <Show
            when={loaded().shareId}
            fallback={
              <>
                <p>
                  Anyone with the link can read this dashboard until you revoke it: its titles, texts and
                  results, including the values of breakdowns. Filters are hidden, and people appear as
                  numbers.
                </p>
                <CheckField label={PINNED} isChecked={isPinned()} onChange={setPinned} />
                <button
                  type="button"
                  class="button primary"
                  disabled={action.isRunning()}
                  onClick={() => action.run(change({ isPublic: true, isRangePinned: isPinned() }))}
                >
                  Create link
                </button>
              </>
            }
          >
            {(shareId) => (
              <>
                <p>
                  <a href={linkOf(shareId())} target="_blank" rel="noopener">
                    {linkOf(shareId())}
                  </a>
                </p>
                <CheckField
                  label={PINNED}
                  isChecked={loaded().isRangePinned}
                  onChange={(isRangePinned) => action.run(change({ isRangePinned }))}
                />
                <Show when={!loaded().isRangePinned}>
                  <p class="quiet small">Anyone with the link can choose any time range.</p>
                </Show>
                <div class="row">
                  <CopyButton text={linkOf(shareId())} label="the link" />
                  <button
                    type="button"
                    class="button danger"
                    disabled={action.isRunning()}
                    onClick={() => action.run(change({ isPublic: false }))}
                  >
                    Revoke link
                  </button>
                </div>
              </>
            )}
          </Show>
        )}
      </Async>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </Drawer>
  )
}

/** Deletes a dashboard after a confirmation. */
export function DeleteButton(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const [isAsking, setAsking] = createSignal(false)
  const remove = async (): Promise<void> => {
    await dashboardsClient.delete({ id: props.id })
    navigate(`/p/${workspace().project.id}/dashboards`)
  }
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        Delete
      </button>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Delete this dashboard?"
          submit="Delete dashboard"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>This also deletes its tiles and its link.</p>
        </ConfirmDialog>
      </Show>
    </>
  )
}
