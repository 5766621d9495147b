import {
  ComplianceRequestStatus,
  type GetDeletionRequestResponse,
  ProfilesService,
} from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { formatNumber } from '../app/format.ts'
import { navigate } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'

const POLL_MS = 1000

const STATES = {
  [ComplianceRequestStatus.UNSPECIFIED]: 'Asked for.',
  [ComplianceRequestStatus.PENDING]: 'Waiting for its turn.',
  [ComplianceRequestStatus.PROCESSING]: 'Being erased.',
  [ComplianceRequestStatus.COMPLETED]: 'Everything is erased.',
  [ComplianceRequestStatus.FAILED]: 'It failed; ask again.',
} as const satisfies Record<ComplianceRequestStatus, string>

function isOver(status: ComplianceRequestStatus): boolean {
  return status === ComplianceRequestStatus.COMPLETED || status === ComplianceRequestStatus.FAILED
}

/** Erases everything of a person, once their id was typed. */
export function EraseButton(props: { readonly externalId: string }): JSX.Element {
  const [isAsking, setAsking] = createSignal(false)
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        Erase this person
      </button>
      <Show when={isAsking()}>
        <EraseDialog externalId={props.externalId} onClose={() => setAsking(false)} />
      </Show>
    </>
  )
}

/** Hides a profile for good; what it did still counts. */
export function HideButton(props: { readonly id: string; readonly name: string }): JSX.Element {
  const workspace = useWorkspace()
  const [isAsking, setAsking] = createSignal(false)
  const hide = async (): Promise<void> => {
    await clientOf(ProfilesService).delete({ id: props.id })
    navigate(`/p/${workspace().project.id}/people`)
  }
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Hide the profile
      </button>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Hide this profile?"
          submit="Hide for good"
          onConfirm={hide}
          onClose={() => setAsking(false)}
        >
          <p>
            No list shows <strong>{props.name}</strong> any more, and new events do not bring the profile
            back. Its events stay and count.
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
    const { requestId } = await clientOf(ProfilesService).deleteDataSubject({ externalId: props.externalId })
    while (!isClosed) {
      const state = await clientOf(ProfilesService).getDeletionRequest({ requestId })
      setRequest(state)
      if (isOver(state.status)) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return (
    <Drawer title="Erase this person" look="dialog" onClose={props.onClose}>
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
              The profile, its traits, devices and every event of <strong>{props.externalId}</strong> under
              all of their ids are erased. Nothing brings them back.
            </p>
            <TextField label="Type the id to confirm" value={typed()} onInput={setTyped} />
            <button
              type="submit"
              class="button danger"
              disabled={typed() !== props.externalId || action.isRunning()}
            >
              Erase for good
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
