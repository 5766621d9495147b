import {
  ComplianceRequestStatus,
  type GetDeletionRequestResponse,
  ProfilesService,
} from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { formatNumber } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'

const profilesClient = clientOf(ProfilesService)

const POLL_MS = 1000

const STATES = {
  [ComplianceRequestStatus.UNSPECIFIED]: 'Requested.',
  [ComplianceRequestStatus.PENDING]: 'Waiting.',
  [ComplianceRequestStatus.PROCESSING]: 'Deleting.',
  [ComplianceRequestStatus.COMPLETED]: 'All data is deleted.',
  [ComplianceRequestStatus.FAILED]: 'Failed. Request it again.',
} as const satisfies Record<ComplianceRequestStatus, string>

function isFinished(status: ComplianceRequestStatus): boolean {
  return status === ComplianceRequestStatus.COMPLETED || status === ComplianceRequestStatus.FAILED
}

/** Deletes a person and their data, after their ID is typed. */
export function EraseButton(props: { readonly externalId: string }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        Delete person and data…
      </button>
      <Show when={isOpen()}>
        <EraseDialog externalId={props.externalId} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

/** Hides a profile; its events still count. */
export function HideButton(props: { readonly id: string; readonly name: string }): JSX.Element {
  const workspace = useWorkspace()
  const [isOpen, setOpen] = createSignal(false)
  const hide = async (): Promise<void> => {
    await profilesClient.delete({ id: props.id })
    navigate(`/p/${workspace().project.id}/people`)
  }
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Hide profile
      </button>
      <Show when={isOpen()}>
        <ConfirmDialog
          title="Hide this profile?"
          submit="Hide profile"
          onConfirm={hide}
          onClose={() => setOpen(false)}
        >
          <p>
            Lists no longer show <strong>{props.name}</strong>, and new events do not bring the profile back.
            Its events stay in all counts.
          </p>
        </ConfirmDialog>
      </Show>
    </>
  )
}

function EraseDialog(props: { readonly externalId: string; readonly onClose: () => void }): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const [request, setRequest] = createSignal<GetDeletionRequestResponse>()
  const action = createAction()
  let isClosed = false
  onCleanup(() => {
    isClosed = true
  })
  const erase = async (): Promise<void> => {
    const { requestId } = await profilesClient.deleteDataSubject({ externalId: props.externalId })
    while (!isClosed) {
      const state = await profilesClient.getDeletionRequest({ requestId })
      setRequest(state)
      if (isFinished(state.status)) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return (
    <Drawer title="Delete person and data" look="dialog" onClose={props.onClose}>
      <Show
        when={request()}
        fallback={
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              action.run(erase)
            }}
          >
            <p>
              This deletes the profile, its properties, devices and all events of{' '}
              <strong>{props.externalId}</strong> under all of their IDs. You cannot undo it.
            </p>
            <TextField label="Type the person's ID to confirm" value={typed()} onInput={setTyped} />
            <button
              type="submit"
              class="button danger"
              disabled={typed() !== props.externalId || action.isRunning()}
            >
              Delete permanently
            </button>
          </form>
        }
      >
        {(state) => (
          <div role="status">
            <p>{STATES[state().status]}</p>
            <p>{formatNumber(state().eventsIdentified)} events</p>
            <p class="quiet small">
              Request <code>{state().requestId}</code>
            </p>
          </div>
        )}
      </Show>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </Drawer>
  )
}
