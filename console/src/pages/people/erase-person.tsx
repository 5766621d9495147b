import {
  ComplianceRequestStatus,
  type GetDeletionRequestResponse,
  ProfilesService,
} from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'

const profilesClient = clientOf(ProfilesService)

const POLL_MS = 1000

const STATES = {
  [ComplianceRequestStatus.UNSPECIFIED]: 'people.eraseRequested',
  [ComplianceRequestStatus.PENDING]: 'people.erasePending',
  [ComplianceRequestStatus.PROCESSING]: 'people.eraseProcessing',
  [ComplianceRequestStatus.COMPLETED]: 'people.eraseCompleted',
  [ComplianceRequestStatus.FAILED]: 'people.eraseFailed',
} as const satisfies Record<ComplianceRequestStatus, NameKey>

function isFinished(status: ComplianceRequestStatus): boolean {
  return status === ComplianceRequestStatus.COMPLETED || status === ComplianceRequestStatus.FAILED
}

/** Asks before a profile is hidden; its events still count. */
export function HideDialog(props: {
  readonly profileId: string
  readonly name: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onHidden: () => void
}): JSX.Element {
  const hide = async (): Promise<void> => {
    await profilesClient.delete({ id: props.profileId })
    props.onHidden()
  }
  return (
    <ConfirmDialog
      title={t('people.hideTitle')}
      text={t('people.hideText', { name: props.name })}
      verb={t('people.hide')}
      isOpen={props.isOpen}
      onClose={props.onClose}
      onConfirm={hide}
    />
  )
}

/** Deletes a person and their data after their ID is typed, and follows the progress. */
export function EraseDialog(props: {
  readonly id: string
  readonly onClose: () => void
  /** The dialog was closed after the person was deleted, or while they are being deleted. */
  readonly onErased: () => void
}): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const [request, setRequest] = createSignal<GetDeletionRequestResponse>()
  const action = createAction()
  let isClosed = false
  onCleanup(() => {
    isClosed = true
  })
  const isBlocked = (): boolean => typed().trim() !== props.id
  const close = (): void => {
    props.onClose()
    if (request()) props.onErased()
  }
  const erase = async (): Promise<void> => {
    const { requestId } = await profilesClient.deleteDataSubject({ externalId: props.id })
    while (!isClosed) {
      const state = await profilesClient.getDeletionRequest({ requestId })
      setRequest(state)
      if (isFinished(state.status)) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return (
    <Dialog
      title={t('people.eraseTitle')}
      isOpen={true}
      onClose={close}
      onEnter={() => {
        if (!isBlocked() && !request()) action.run(erase)
      }}
      foot={
        <Show when={!request()} fallback={<Button onClick={close}>{t('common.close')}</Button>}>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="destructive"
            isDisabled={isBlocked()}
            isLoading={action.isRunning()}
            onClick={() => action.run(erase)}
          >
            {t('people.eraseVerb')}
          </Button>
        </Show>
      }
    >
      <Show
        when={request()}
        fallback={
          <>
            <p class="ui-dialog-text">{t('people.eraseText', { id: props.id })}</p>
            <Input label={t('people.eraseConfirm')} value={typed()} onInput={setTyped} />
          </>
        }
      >
        {(state) => (
          <div role="status">
            <p class="ui-dialog-text">{t(STATES[state().status])}</p>
            <p class="ui-dialog-text">
              {t('people.eventCount', { count: Number(state().eventsIdentified) })}
            </p>
            <p class="person-quiet">{t('people.eraseRequest', { id: state().requestId })}</p>
          </div>
        )}
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
