import { InvitationStatus, type OrgInvitation } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { nameOfRole, ROLES, type RoleName } from '../context/access.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatDay } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Async, Empty, ErrorBox } from '../ui/async.tsx'
import { type Choice, SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'

const orgsClient = clientOf(OrgsService)

/** The roles, from the most powerful down. */
export const ROLE_CHOICES = [
  { value: 'admin', label: 'Admin' },
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
] as const satisfies readonly Choice<RoleName>[]

/** The pending invitations. */
export function Invitations(props: { readonly orgId: string }): JSX.Element {
  const may = useMay()
  const [invitations, { refetch }] = createResource(async () => {
    const answer = await orgsClient.listInvitations({ orgId: props.orgId })
    return answer.invitations.filter(({ status }) => status === InvitationStatus.PENDING)
  })
  return (
    <section class="card">
      <h2>Invitations</h2>
      <Show when={may(OrgsService.method.inviteMember)}>
        <Invite orgId={props.orgId} onInvited={async () => await refetch()} />
      </Show>
      <Async of={invitations} retry={() => void refetch()} lines={2}>
        {(list) => (
          <Show when={list().length > 0} fallback={<Empty title="No pending invitations" />}>
            <ul class="plain-list">
              <For each={list()}>
                {(invitation) => (
                  <OneInvitation invitation={invitation} reread={async () => await refetch()} />
                )}
              </For>
            </ul>
          </Show>
        )}
      </Async>
    </section>
  )
}

function Invite(props: { readonly orgId: string; readonly onInvited: () => Promise<unknown> }): JSX.Element {
  const [email, setEmail] = createSignal('')
  const [role, setRole] = createSignal<RoleName>('member')
  const invite = async (): Promise<void> => {
    await orgsClient.inviteMember({ orgId: props.orgId, email: email(), role: ROLES[role()] })
    setEmail('')
    await props.onInvited()
  }
  return (
    <Form submit="Invite" done="Invited" look="row" tone="plain" onSubmit={invite}>
      {(problem) => (
        <>
          <TextField
            label="Email to invite"
            type="email"
            required
            value={email()}
            problem={problem('email')}
            onInput={setEmail}
          />
          <SelectField label="As" value={role()} choices={ROLE_CHOICES} onChange={setRole} />
        </>
      )}
    </Form>
  )
}

function OneInvitation(props: {
  readonly invitation: OrgInvitation
  readonly reread: () => Promise<unknown>
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const change = (work: () => Promise<unknown>): void =>
    action.run(async () => {
      await work()
      await props.reread()
    })
  const key = () => ({ orgId: props.invitation.orgId, invitationId: props.invitation.id })
  const until = (): string => {
    const ms = Date.parse(props.invitation.expiresAt)
    const day = formatDay(ms, workspace().timeZone)
    return ms > Date.now() ? `until ${day}` : `expired ${day}`
  }
  return (
    <li>
      <div class="row spread">
        <span>
          {props.invitation.email} as {nameOfRole(props.invitation.role)}, {until()}
        </span>
        <span class="row">
          <Show when={may(OrgsService.method.resendInvite)}>
            <button
              type="button"
              class="button"
              disabled={action.isRunning()}
              aria-label={`Send again to ${props.invitation.email}`}
              onClick={() => change(async () => await orgsClient.resendInvite(key()))}
            >
              Send again
            </button>
          </Show>
          <Show when={may(OrgsService.method.revokeInvite)}>
            <button
              type="button"
              class="button danger"
              disabled={action.isRunning()}
              aria-label={`Revoke the invitation of ${props.invitation.email}`}
              onClick={() => change(async () => await orgsClient.revokeInvite(key()))}
            >
              Revoke
            </button>
          </Show>
        </span>
      </div>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </li>
  )
}
