import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type OrgMember, OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { type ListMembersResponse, OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { nameOfRole, ROLES, type RoleName } from '../../context/access.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatMinute, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import '../second-factor/messages.ts'
import { withProof } from '../second-factor/with-proof.tsx'
import { Invitations } from './invitations.tsx'
import { Loaded } from './loaded.tsx'
import { createMemberList, PagedMembers, pageOf } from './member-list.tsx'
import { MemberName } from './member-name.tsx'
import { ROLE_NAMES, RoleNote, roleOptions, useAdmins } from './role-note.tsx'

const orgsClient = clientOf(OrgsService)

const { updateMemberRole, removeMember, resetMemberSecondFactor, listInvitations } = OrgsService.method

/** The members of the organisation and its pending invitations. */
export function MemberSettings(): JSX.Element {
  const may = useMay()
  return (
    <>
      <Members />
      <Show when={may(listInvitations)} fallback={<RoleNote />}>
        <Invitations />
      </Show>
    </>
  )
}

/** A role that was chosen for a member. */
interface ChosenRole {
  readonly member: OrgMember
  readonly name: RoleName
}

function Members(): JSX.Element {
  const workspace = useWorkspace()
  const list = createMemberList()
  const admins = useAdmins()
  const members = useQuery(() => {
    const request = { orgId: workspace().org.id, ...pageOf(list) }
    return {
      queryKey: ['members', request.orgId, request.search, request.pageToken],
      queryFn: async () => await orgsClient.listMembers(request),
      placeholderData: (before: ListMembersResponse | undefined) => before,
    }
  })
  /** Only an admin can make another one, so the last one keeps the role; each may be the last until the admins are known. */
  const isLastAdmin = ({ role }: OrgMember): boolean =>
    role === OrgRole.ADMIN && !(admins.isSuccess && admins.data.length > 1)
  const change = createAction()
  const [removing, setRemoving] = createSignal<OrgMember>()
  const [resetting, setResetting] = createSignal<OrgMember>()
  const [givingUp, setGivingUp] = createSignal<ChosenRole>()
  /** A change of one's own role changes what the console shows. */
  const reread = async ({ customerId }: OrgMember): Promise<void> => {
    const { account, reload } = workspace()
    await Promise.all([members.refetch(), admins.refetch()])
    if (customerId === account.customerId) await reload()
  }
  const setRole = async ({ member, name }: ChosenRole): Promise<void> => {
    const { orgId, customerId } = member
    await orgsClient.updateMemberRole({ orgId, customerId, role: ROLES[name] })
    await reread(member)
    showToast({ text: t('settings.saved') })
  }
  /** Admins who give up their own role cannot take it back. */
  const chooseRole = (member: OrgMember, name: RoleName): void => {
    if (member.customerId === workspace().account.customerId) setGivingUp({ member, name })
    else change.run(async () => await setRole({ member, name }))
  }
  const remove = async (member: OrgMember): Promise<void> => {
    const { orgId, customerId } = member
    await orgsClient.removeMember({ orgId, customerId })
    await reread(member)
  }
  return (
    <Card title={t('settings.members')} padding="none">
      <p class="settings-text settings-pad">{t('settings.membersText')}</p>
      <Show when={change.failure()}>
        {(failure) => (
          <div class="settings-pad">
            <ErrorState title={t('ui.failed')} error={failure()} />
          </div>
        )}
      </Show>
      <Loaded query={members}>
        {(page) => (
          <PagedMembers list={list} shown={page().members.length} nextToken={page().nextPageToken}>
            <MemberTable
              members={page().members}
              isLastAdmin={isLastAdmin}
              hasLastAdmin={admins.isSuccess && admins.data.length === 1}
              isBusy={change.isRunning()}
              onRole={chooseRole}
              onReset={setResetting}
              onRemove={setRemoving}
            />
          </PagedMembers>
        )}
      </Loaded>
      <Show when={removing()} keyed>
        {(member) => (
          <ConfirmDialog
            title={t('settings.removeMemberAsk', { email: member.email })}
            text={t('settings.removeMemberText', { organisation: workspace().org.displayName })}
            verb={t('settings.removeMemberVerb')}
            isOpen={true}
            onClose={() => setRemoving(undefined)}
            onConfirm={async () => await remove(member)}
          />
        )}
      </Show>
      <Show when={givingUp()} keyed>
        {(chosen) => (
          <ConfirmDialog
            title={t('settings.ownRoleAsk', { role: t(ROLE_NAMES[chosen.name]) })}
            text={t('settings.ownRoleText', { organisation: workspace().org.displayName })}
            verb={t('settings.ownRoleVerb')}
            isOpen={true}
            onClose={() => setGivingUp(undefined)}
            onConfirm={async () => await setRole(chosen)}
          />
        )}
      </Show>
      <Show when={resetting()} keyed>
        {(member) => (
          <ResetFactor
            member={member}
            onClose={() => setResetting(undefined)}
            onDone={async () => void (await members.refetch())}
          />
        )}
      </Show>
    </Card>
  )
}

/** Asks before the second factor of a member is removed. */
function ResetFactor(props: {
  readonly member: OrgMember
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}): JSX.Element {
  const reset = async (): Promise<void> => {
    const { orgId, customerId } = props.member
    const { onDone } = props
    await withProof(async () => await orgsClient.resetMemberSecondFactor({ orgId, customerId }))
    await onDone()
  }
  return (
    <ConfirmDialog
      title={t('secondFactor.resetAsk', { email: props.member.email })}
      text={t('secondFactor.resetText')}
      verb={t('secondFactor.reset')}
      isOpen={true}
      onClose={() => props.onClose()}
      onConfirm={reset}
    />
  )
}

function MemberTable(props: {
  readonly members: readonly OrgMember[]
  readonly isLastAdmin: (member: OrgMember) => boolean
  readonly hasLastAdmin: boolean
  readonly isBusy: boolean
  readonly onRole: (member: OrgMember, role: RoleName) => void
  readonly onReset: (member: OrgMember) => void
  readonly onRemove: (member: OrgMember) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const columns = (): readonly Column<OrgMember, string>[] => [
    {
      key: 'member',
      title: t('settings.member'),
      kind: 'wide',
      cell: (member) => (
        <MemberName member={member} isSelf={member.customerId === workspace().account.customerId} />
      ),
    },
    {
      key: 'role',
      title: t('settings.role'),
      cell: (member) => (
        <Show
          when={may(updateMemberRole) && !props.isLastAdmin(member)}
          fallback={<Badge>{t(ROLE_NAMES[nameOfRole(member.role)])}</Badge>}
        >
          <Select
            label={t('settings.roleOf', { email: member.email })}
            labelDisplay="hidden"
            options={roleOptions()}
            value={nameOfRole(member.role)}
            isDisabled={props.isBusy}
            onChange={(role) => props.onRole(member, role)}
          />
        </Show>
      ),
    },
    {
      key: 'active',
      title: t('settings.lastActive'),
      cell: ({ lastActiveTime }) =>
        lastActiveTime ? formatMinute(timestampMs(lastActiveTime), workspace().timeZone) : NO_VALUE,
    },
    ...(may(resetMemberSecondFactor)
      ? [
          {
            key: 'factor',
            title: t('secondFactor.title'),
            cell: (member: OrgMember) => (
              <FactorCell
                member={member}
                isSelf={member.customerId === workspace().account.customerId}
                onReset={props.onReset}
              />
            ),
          },
        ]
      : []),
    ...(may(removeMember)
      ? [
          {
            key: 'remove',
            title: '',
            cell: (member: OrgMember) => (
              <Button
                size="small"
                tone="danger"
                isDisabled={props.isLastAdmin(member)}
                aria-label={t('settings.removeMember', { email: member.email })}
                onClick={() => props.onRemove(member)}
              >
                {t('common.remove')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Table label={t('settings.members')} rows={props.members} columns={columns()} />
      <Show when={may(removeMember) && props.hasLastAdmin}>
        <p class="settings-text settings-pad settings-ruled">{t('settings.lastAdmin')}</p>
      </Show>
    </>
  )
}

/** Whether a member has a second factor, and its reset; their own is in the settings of the account. */
function FactorCell(props: {
  readonly member: OrgMember
  readonly isSelf: boolean
  readonly onReset: (member: OrgMember) => void
}): JSX.Element {
  return (
    <Show when={props.member.hasSecondFactor} fallback={<Badge>{t('secondFactor.off')}</Badge>}>
      <span class="settings-completion">
        <Badge tone="good">{t('secondFactor.on')}</Badge>
        <Show when={!props.isSelf}>
          <Button
            size="small"
            aria-label={t('secondFactor.resetOf', { email: props.member.email })}
            onClick={() => props.onReset(props.member)}
          >
            {t('secondFactor.reset')}
          </Button>
        </Show>
      </span>
    </Show>
  )
}
