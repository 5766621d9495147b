import {
  InvitationStatus,
  type OrgInvitation,
  OrgInvitationSchema,
} from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { nameOfRole, ROLES, type RoleName } from '../../context/access.ts'
import { useWorkspace, type Workspace } from '../../context/workspace.ts'
import { formatDay } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { keepRows } from '../../rpc/kept-rows.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { FormLine } from './form-card.tsx'
import { type InvitedRoles, InvitedRolesFields } from './invited-roles.tsx'
import { Loaded } from './loaded.tsx'
import { ROLE_NAMES, roleOptions } from './role-note.tsx'
import { SecretCard } from './secret-card.tsx'

const orgsClient = clientOf(OrgsService)

/** Invitations are accepted, and their mails refused, without the reader. */
const REREAD_MS = 10_000

/** A link that no mail server could send. */
interface ReturnedLink {
  readonly email: string
  readonly link: string
}

/** The pending invitations; each can be sent again and revoked. */
export function Invitations(): JSX.Element {
  const workspace = useWorkspace()
  const [returned, setReturned] = createSignal<ReturnedLink>()
  const action = createAction()
  const invitations = useQuery(() => {
    const orgId = workspace().org.id
    return {
      queryKey: ['invitations', orgId],
      queryFn: async () =>
        (await orgsClient.listInvitations({ orgId })).invitations.filter(
          ({ status }) => status === InvitationStatus.PENDING,
        ),
      refetchInterval: REREAD_MS,
    }
  })
  const onSent = async ({ email, link }: ReturnedLink): Promise<void> => {
    if (link === '') showToast({ text: t('settings.invited', { email }) })
    setReturned(link === '' ? undefined : { email, link })
    await invitations.refetch()
  }
  const keyOf = ({ orgId, id }: OrgInvitation) => ({ orgId, invitationId: id })
  const sendAgain = (invitation: OrgInvitation): void =>
    action.run(async () => {
      const { link } = await orgsClient.resendInvite(keyOf(invitation))
      await onSent({ email: invitation.email, link })
    })
  const revoke = (invitation: OrgInvitation): void =>
    action.run(async () => {
      await orgsClient.revokeInvite(keyOf(invitation))
      if (returned()?.email === invitation.email) setReturned(undefined)
      await invitations.refetch()
    })
  return (
    <>
      <Card title={t('settings.invitations')} padding="none">
        <div class="settings-pad">
          <p class="settings-text">{t('settings.invitationsText')}</p>
          <Invite onSent={onSent} />
          <Show when={action.failure()}>
            {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
          </Show>
        </div>
        <Loaded query={invitations} lines={2}>
          {(list) => (
            <Show when={list().length > 0} fallback={<EmptyState title={t('settings.noInvitations')} />}>
              <InvitationTable
                invitations={list()}
                isBusy={action.isRunning()}
                sendAgain={sendAgain}
                revoke={revoke}
              />
            </Show>
          )}
        </Loaded>
      </Card>
      <Show when={returned()} keyed>
        {({ email, link }) => (
          <SecretCard
            title={t('settings.copyLinkNow')}
            text={`${t('settings.linkFor', { email })}. ${t('settings.linkText')}`}
            secret={link}
            onClose={() => setReturned(undefined)}
          />
        )}
      </Show>
    </>
  )
}

function projectsOf({ account, org }: Workspace): readonly Project[] {
  return account.organisations.find((one) => one.org.id === org.id)?.projects ?? []
}

const NO_ROLES: InvitedRoles = { projectIds: [], role: 'viewer' }

function Invite(props: { readonly onSent: (sent: ReturnedLink) => Promise<void> }): JSX.Element {
  const workspace = useWorkspace()
  const [email, setEmail] = createSignal('')
  const [role, setRole] = createSignal<RoleName>('member')
  const [roles, setRoles] = createSignal<InvitedRoles>(NO_ROLES)
  const invite = async (): Promise<void> => {
    const { onSent } = props
    const { projectIds, role: inProjects } = roles()
    const invited = {
      orgId: workspace().org.id,
      email: email(),
      role: ROLES[role()],
      projectRoles: projectIds.map((projectId) => ({ projectId, role: ROLES[inProjects] })),
    }
    const { link } = await orgsClient.inviteMember(invited)
    setEmail('')
    setRoles(NO_ROLES)
    await onSent({ email: invited.email, link })
  }
  const chooseRole = (chosen: RoleName): void => {
    setRole(chosen)
    if (chosen === 'admin') setRoles(NO_ROLES)
  }
  return (
    <FormLine submit={t('settings.invite')} done="" onSubmit={invite}>
      {(problem) => (
        <>
          <Input
            label={t('settings.inviteEmail')}
            type="email"
            required
            placeholder="grace@example.com"
            value={email()}
            problem={problem('email')}
            onInput={setEmail}
          />
          <Select label={t('settings.role')} options={roleOptions()} value={role()} onChange={chooseRole} />
          {/* An admin of the organisation is one of every project. */}
          <Show when={role() !== 'admin'}>
            <InvitedRolesFields
              projects={projectsOf(workspace())}
              isGuest={role() === 'guest'}
              value={roles()}
              onChange={setRoles}
            />
          </Show>
        </>
      )}
    </FormLine>
  )
}

function InvitationTable(props: {
  readonly invitations: readonly OrgInvitation[]
  readonly isBusy: boolean
  readonly sendAgain: (invitation: OrgInvitation) => void
  readonly revoke: (invitation: OrgInvitation) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nameOf = (projectId: string): string =>
    projectsOf(workspace()).find(({ id }) => id === projectId)?.displayName ?? projectId
  const rows = keepRows(OrgInvitationSchema, () => props.invitations)
  const columns: readonly Column<OrgInvitation, string>[] = [
    {
      key: 'email',
      title: t('settings.emailAddress'),
      kind: 'wide',
      cell: ({ email, mailError }) => (
        <>
          {email}
          <Show when={mailError}>
            {(error) => <p class="settings-failed">{t('settings.inviteMailFailed', { error: error() })}</p>}
          </Show>
        </>
      ),
    },
    {
      key: 'role',
      title: t('settings.role'),
      cell: ({ role, projectRoles }) => (
        <span class="settings-badges">
          <Badge>{t(ROLE_NAMES[nameOfRole(role)])}</Badge>
          <For each={projectRoles}>
            {(one) => <Badge>{`${nameOf(one.projectId)}: ${t(ROLE_NAMES[nameOfRole(one.role)])}`}</Badge>}
          </For>
        </span>
      ),
    },
    {
      key: 'until',
      title: '',
      cell: ({ expiresAt }) =>
        Date.parse(expiresAt) > Date.now() ? (
          t('settings.until', { day: formatDay(Date.parse(expiresAt), workspace().timeZone) })
        ) : (
          <Badge tone="warn">{t('settings.expired')}</Badge>
        ),
    },
    {
      key: 'change',
      title: '',
      cell: (invitation) => (
        <span class="settings-actions">
          <Button
            size="small"
            isDisabled={props.isBusy}
            aria-label={t('settings.sendAgainTo', { email: invitation.email })}
            onClick={() => props.sendAgain(invitation)}
          >
            {t('settings.sendAgain')}
          </Button>
          <Button
            size="small"
            tone="danger"
            isDisabled={props.isBusy}
            aria-label={t('settings.revokeInvitation', { email: invitation.email })}
            onClick={() => props.revoke(invitation)}
          >
            {t('settings.revoke')}
          </Button>
        </span>
      ),
    },
  ]
  return <Table label={t('settings.invitations')} rows={rows()} columns={columns} />
}
