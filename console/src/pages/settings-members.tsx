import type { OrgMember } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { createResource, createSignal, Index, type JSX, Show } from 'solid-js'
import { nameOfRole, ROLES, type RoleName } from '../context/access.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { type Action, createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { Invitations, ROLE_CHOICES } from './settings-invitations.tsx'

const orgsClient = clientOf(OrgsService)

/** The members of the organisation and its pending invitations. */
export function MemberSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  return (
    <Show when={workspace().org.id} keyed>
      {(orgId) => (
        <>
          <Members orgId={orgId} />
          <Show when={may(OrgsService.method.listInvitations)}>
            <Invitations orgId={orgId} />
          </Show>
        </>
      )}
    </Show>
  )
}

function Members(props: { readonly orgId: string }): JSX.Element {
  const workspace = useWorkspace()
  const [members, { refetch }] = createResource(
    async () => (await orgsClient.listMembers({ orgId: props.orgId })).members,
  )
  const [removing, setRemoving] = createSignal<OrgMember>()
  /** A change of one's own role changes what the console shows. */
  const reread = async ({ customerId }: OrgMember): Promise<void> => {
    await refetch()
    if (customerId === workspace().account.customerId) await workspace().reload()
  }
  return (
    <section class="card">
      <h2>Members</h2>
      <p class="quiet small">
        Viewers read. Members also change dashboards and campaigns, and delete people. Admins do everything.
      </p>
      <Async of={members} retry={() => void refetch()}>
        {(list) => (
          <ul class="plain-list">
            <Index each={list()}>
              {(member) => (
                <OneMember
                  member={member()}
                  reread={async () => await reread(member())}
                  onRemove={() => setRemoving(member())}
                />
              )}
            </Index>
          </ul>
        )}
      </Async>
      <Show when={removing()}>
        {(member) => (
          <RemoveDialog
            member={member()}
            reread={async () => await reread(member())}
            onClose={() => setRemoving(undefined)}
          />
        )}
      </Show>
    </section>
  )
}

interface MemberProps {
  readonly member: OrgMember
  readonly reread: () => Promise<void>
}

function OneMember(props: MemberProps & { readonly onRemove: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const isSelf = (): boolean => props.member.customerId === workspace().account.customerId
  return (
    <li>
      <div class="row spread">
        <span class="ellipsis">
          {props.member.email} <span class="quiet">{isSelf() ? '(you)' : ''}</span>
        </span>
        <span class="row member-actions">
          <Show
            when={may(OrgsService.method.updateMemberRole)}
            fallback={<span class="badge">{nameOfRole(props.member.role)}</span>}
          >
            <RoleField member={props.member} reread={props.reread} run={action.run} />
          </Show>
          <Show when={may(OrgsService.method.removeMember)}>
            <button
              type="button"
              class="button danger"
              aria-label={`Remove ${props.member.email}`}
              onClick={() => props.onRemove()}
            >
              Remove
            </button>
          </Show>
        </span>
      </div>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </li>
  )
}

function RoleField(props: MemberProps & { readonly run: Action['run'] }): JSX.Element {
  // A rejected choice is rendered again, so that it shows the current role.
  const [round, setRound] = createSignal(1)
  const [isSaved, setSaved] = createSignal(false)
  const change = async (name: RoleName): Promise<void> => {
    const { orgId, customerId } = props.member
    setSaved(false)
    try {
      await orgsClient.updateMemberRole({ orgId, customerId, role: ROLES[name] })
      await props.reread()
      setSaved(true)
    } catch (thrown) {
      setRound(round() + 1)
      throw thrown
    }
  }
  return (
    <>
      <span class="quiet small" role="status">
        {isSaved() ? 'Saved' : ''}
      </span>
      <Show when={round()} keyed>
        {(_) => (
          <SelectField
            label={`Role of ${props.member.email}`}
            labelDisplay="hidden"
            value={nameOfRole(props.member.role)}
            choices={ROLE_CHOICES}
            onChange={(name) => props.run(async () => await change(name))}
          />
        )}
      </Show>
    </>
  )
}

function RemoveDialog(props: MemberProps & { readonly onClose: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const remove = async (): Promise<void> => {
    const { orgId, customerId } = props.member
    await orgsClient.removeMember({ orgId, customerId })
    await props.reread()
  }
  return (
    <ConfirmDialog
      title="Remove this member?"
      submit="Remove member"
      onConfirm={remove}
      onClose={() => props.onClose()}
    >
      <p>
        <strong>{props.member.email}</strong> can no longer see anything of {workspace().org.displayName}.
      </p>
    </ConfirmDialog>
  )
}
