import { InvitationStatus, OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { formatDay } from '../app/format.ts'
import { useWorkspace } from '../app/workspace.ts'
import { rpc } from '../rpc/clients.ts'
import { createAction } from '../ui/action.ts'
import { Async, Empty, ErrorBox } from '../ui/async.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'

type RoleName = 'admin' | 'member' | 'viewer'

const ROLES = { admin: OrgRole.ADMIN, member: OrgRole.MEMBER, viewer: OrgRole.VIEWER } as const
const ROLE_CHOICES = [
  { value: 'admin', label: 'Admin' },
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
] as const satisfies readonly { readonly value: RoleName; readonly label: string }[]

function nameOfRole(role: OrgRole): RoleName {
  if (role === OrgRole.ADMIN) return 'admin'
  return role === OrgRole.MEMBER ? 'member' : 'viewer'
}

/** Who is in the organisation, and as what. */
export function Members(props: { readonly orgId: string }): JSX.Element {
  const [members, { refetch }] = createResource(
    async () => (await rpc.orgs.listMembers({ orgId: props.orgId })).members,
  )
  const [removing, setRemoving] = createSignal<{ readonly customerId: string; readonly email: string }>()
  const action = createAction()
  const change = (work: () => Promise<unknown>): void =>
    action.run(async () => {
      try {
        await work()
      } finally {
        await refetch()
      }
    })
  return (
    <section class="card">
      <h2>Members</h2>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <Async of={members} retry={() => void refetch()}>
        {(list) => (
          <ul class="plain-list">
            <For each={list()}>
              {({ customerId, email, role }) => (
                <li class="row spread end">
                  <span class="ellipsis">{email}</span>
                  <span class="row end">
                    <SelectField
                      label={`Role of ${email}`}
                      value={nameOfRole(role)}
                      choices={ROLE_CHOICES}
                      onChange={(name) =>
                        change(async () =>
                          rpc.orgs.updateMemberRole({ orgId: props.orgId, customerId, role: ROLES[name] }),
                        )
                      }
                    />
                    <button
                      type="button"
                      class="button danger"
                      aria-label={`Remove ${email}`}
                      disabled={action.isRunning()}
                      onClick={() => setRemoving({ customerId, email })}
                    >
                      Remove
                    </button>
                  </span>
                </li>
              )}
            </For>
          </ul>
        )}
      </Async>
      <Show when={removing()}>
        {(member) => (
          <Drawer title="Remove this member?" look="dialog" onClose={() => setRemoving(undefined)}>
            <p>{member().email} can no longer see anything of this organisation.</p>
            <button
              type="button"
              class="button danger"
              onClick={() => {
                const { customerId } = member()
                setRemoving(undefined)
                change(async () => rpc.orgs.removeMember({ orgId: props.orgId, customerId }))
              }}
            >
              Remove the member
            </button>
          </Drawer>
        )}
      </Show>
    </section>
  )
}

/** Who was invited and did not come yet. */
export function Invitations(props: { readonly orgId: string }): JSX.Element {
  const workspace = useWorkspace()
  const [invitations, { refetch }] = createResource(async () => {
    const answer = await rpc.orgs.listInvitations({ orgId: props.orgId })
    return answer.invitations.filter(({ status }) => status === InvitationStatus.PENDING)
  })
  const [email, setEmail] = createSignal('')
  const [role, setRole] = createSignal<RoleName>('member')
  const action = createAction()
  const change = (work: () => Promise<unknown>): void =>
    action.run(async () => {
      await work()
      await refetch()
    })
  const invite = async (): Promise<void> => {
    await rpc.orgs.inviteMember({ orgId: props.orgId, email: email(), role: ROLES[role()] })
    setEmail('')
  }
  return (
    <section class="card">
      <h2>Invitations</h2>
      <form
        class="row end form-row"
        onSubmit={(event) => {
          event.preventDefault()
          change(invite)
        }}
      >
        <TextField label="Email to invite" type="email" required value={email()} onInput={setEmail} />
        <SelectField label="As" value={role()} choices={ROLE_CHOICES} onChange={setRole} />
        <button type="submit" class="button" disabled={action.isRunning()}>
          Invite
        </button>
      </form>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <Async of={invitations} retry={() => void refetch()} lines={2}>
        {(list) => (
          <Show when={list().length > 0} fallback={<Empty title="Nobody is invited" />}>
            <ul class="plain-list">
              <For each={list()}>
                {(invitation) => (
                  <li class="row spread">
                    <span>
                      {invitation.email} as {nameOfRole(invitation.role)}, until{' '}
                      {formatDay(Date.parse(invitation.expiresAt), workspace().timeZone)}
                    </span>
                    <span class="row">
                      <button
                        type="button"
                        class="button"
                        aria-label={`Send the invitation of ${invitation.email} again`}
                        onClick={() =>
                          change(async () =>
                            rpc.orgs.resendInvite({ orgId: props.orgId, invitationId: invitation.id }),
                          )
                        }
                      >
                        Send again
                      </button>
                      <button
                        type="button"
                        class="button danger"
                        aria-label={`Revoke the invitation of ${invitation.email}`}
                        onClick={() =>
                          change(async () =>
                            rpc.orgs.revokeInvite({ orgId: props.orgId, invitationId: invitation.id }),
                          )
                        }
                      >
                        Revoke
                      </button>
                    </span>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )}
      </Async>
    </section>
  )
}
