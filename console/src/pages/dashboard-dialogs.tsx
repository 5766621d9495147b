import { create } from '@bufbuild/protobuf'
import { DashboardTileInputSchema } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { addTile } from '../dashboard/change-tiles.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Form } from '../ui/form.tsx'

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

/** Opens what a dashboard is shared by. */
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

/** What a share that is pinned answers. */
const PINNED = "Show the dashboard's own time range only"

function ShareDialog(props: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const action = createAction()
  const [dashboard, { refetch }] = createResource(
    async () => (await clientOf(DashboardsService).get({ id: props.id })).dashboard,
  )
  // The least that a link can reveal, until somebody wants more.
  const [isPinned, setPinned] = createSignal(true)
  const change = (request: { isPublic?: boolean; isRangePinned?: boolean }) => async (): Promise<void> => {
    await clientOf(DashboardsService).update({ id: props.id, ...request })
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
                  Anyone who has the link can read this dashboard, until you revoke it: its titles, texts and
                  results, with the values that its breakdowns show. They cannot read its filters, and users
                  appear as numbers.
                </p>
                <CheckField label={PINNED} isChecked={isPinned()} onChange={setPinned} />
                <button
                  type="button"
                  class="button primary"
                  disabled={action.isRunning()}
                  onClick={() => action.run(change({ isPublic: true, isRangePinned: isPinned() }))}
                >
                  Make a link
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
                  <p class="quiet small">Anyone who has the link can ask for any time range.</p>
                </Show>
                <div class="row">
                  <CopyButton text={linkOf(shareId())} label="the link" />
                  <button
                    type="button"
                    class="button danger"
                    disabled={action.isRunning()}
                    onClick={() => action.run(change({ isPublic: false }))}
                  >
                    Revoke it
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

/** Deletes a dashboard, after a question. */
export function DeleteButton(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const [isAsking, setAsking] = createSignal(false)
  const remove = async (): Promise<void> => {
    await clientOf(DashboardsService).delete({ id: props.id })
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
          submit="Delete the dashboard"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>Its tiles and its link go with it.</p>
        </ConfirmDialog>
      </Show>
    </>
  )
}
