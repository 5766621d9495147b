import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { InvitationsService } from '@contract/millrace/account/v1/invitations_service_pb.js'
import { createResource, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { signOut } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { readyOf } from '../ui/async.tsx'
import { Button } from '../ui/button.tsx'
import { SkeletonLines } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { SignInFailure } from './sign-in-failure.tsx'
import { dropInvitation, waitingInvitation } from './waiting-invitation.ts'

const customersClient = clientOf(CustomersService)
const invitationsClient = clientOf(InvitationsService)
const projectsClient = clientOf(ProjectsService)

/** Reasons why an invitation can no longer be accepted. */
const OVER: readonly string[] = ['INVITATION_EXPIRED', 'INVITATION_NOT_PENDING']

/** Accepts the waiting invitation as the signed-in person, and opens the organisation. */
export function JoinOrganisation(): JSX.Element {
  const action = createAction()
  const start = (): void => action.run(join)
  onMount(start)
  return (
    <Show when={action.failure()} fallback={<SkeletonLines count={2} />}>
      {(failure) => (
        <Switch
          fallback={
            <>
              <SignInFailure failure={failure()} />
              <Button tone="primary" onClick={start}>
                {t('common.retry')}
              </Button>
              <LeaveButton />
            </>
          }
        >
          <Match when={failure().reason === 'INVITATION_NOT_FOUND'}>
            <OtherAccount />
          </Match>
          <Match when={OVER.includes(failure().reason)}>
            <p role="alert">{t('signIn.joinOver')}</p>
            <LeaveButton />
          </Match>
        </Switch>
      )}
    </Show>
  )
}

async function join(): Promise<void> {
  const token = waitingInvitation()
  if (token === undefined) {
    navigate('/', 'replace')
    return
  }
  const { org } = await invitationsClient.accept({ token })
  dropInvitation()
  const { projects } = await projectsClient.batchGet({ orgId: org?.id ?? '' })
  const [first] = projects
  showToast({ text: t('signIn.joined', { name: org?.displayName ?? '' }) })
  navigate(first ? `/p/${first.id}/overview` : '/', 'replace')
}

/** The service does not tell whom a link invites. */
function OtherAccount(): JSX.Element {
  const [me] = createResource(async () => await customersClient.getMe({}))
  const leave = createAction()
  return (
    <>
      <p role="alert">{t('signIn.joinOther', { email: readyOf(me)?.email ?? '…' })}</p>
      <Show when={leave.failure()}>{(failure) => <SignInFailure failure={failure()} />}</Show>
      <Button tone="primary" isLoading={leave.isRunning()} onClick={() => leave.run(signOut)}>
        {t('signIn.joinSwitch')}
      </Button>
      <LeaveButton />
    </>
  )
}

function LeaveButton(): JSX.Element {
  const leave = (): void => {
    dropInvitation()
    navigate('/', 'replace')
  }
  return <Button onClick={leave}>{t('signIn.joinLeave')}</Button>
}
