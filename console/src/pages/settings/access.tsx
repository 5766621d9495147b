import { OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import {
  type ListResponse,
  type ProjectMember,
  ProjectMembersService,
} from '@contract/millrace/projects/v1/project_members_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { type JSX, Show } from 'solid-js'
import { nameOfRole, ROLES, type RoleName } from '../../context/access.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Loaded } from './loaded.tsx'
import { createMemberList, PagedMembers, pageOf } from './member-list.tsx'
import { MemberName } from './member-name.tsx'
import { ROLE_NAMES, roleOptions } from './role-note.tsx'

const membersClient = clientOf(ProjectMembersService)

/** A role that the project gives, or none: the one in the organisation counts. */
type Choice = RoleName | 'inherited'

/** Who has access to the project, and with which role. */
export function AccessSettings(): JSX.Element {
  const workspace = useWorkspace()
  const list = createMemberList()
  const members = useQuery(() => {
    const request = pageOf(list)
    return {
      queryKey: ['project-members', workspace().project.id, request.search, request.pageToken],
      queryFn: async () => await membersClient.list(request),
      placeholderData: (before: ListResponse | undefined) => before,
      // A role in the organisation may have changed on another page.
      staleTime: 0,
    }
  })
  const change = createAction()
  const choose = ({ customerId }: ProjectMember, choice: Choice): void =>
    change.run(async () => {
      const { account, reload } = workspace()
      if (choice === 'inherited') await membersClient.removeRole({ customerId })
      else await membersClient.setRole({ customerId, role: ROLES[choice] })
      showToast({ text: t('settings.saved') })
      // A change of one's own role changes what the console shows.
      if (customerId === account.customerId) await reload()
      else await members.refetch()
    })
  return (
    <Card title={t('settings.accessOf', { project: workspace().project.displayName })} padding="none">
      <p class="settings-text settings-pad">{t('settings.accessText')}</p>
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
            <Table
              label={t('settings.accessOf', { project: workspace().project.displayName })}
              rows={page().members}
              columns={columnsOf({
                selfId: workspace().account.customerId,
                isBusy: change.isRunning,
                choose,
              })}
            />
          </PagedMembers>
        )}
      </Loaded>
    </Card>
  )
}

function columnsOf(act: {
  readonly selfId: string
  readonly isBusy: () => boolean
  readonly choose: (member: ProjectMember, choice: Choice) => void
}): readonly Column<ProjectMember, string>[] {
  return [
    {
      key: 'member',
      title: t('settings.member'),
      kind: 'wide',
      cell: (member) => <MemberName member={member} isSelf={member.customerId === act.selfId} />,
    },
    {
      key: 'organisation',
      title: t('settings.organisationRole'),
      cell: ({ orgRole }) => <Badge>{t(ROLE_NAMES[nameOfRole(orgRole)])}</Badge>,
    },
    {
      key: 'project',
      title: t('settings.projectRole'),
      cell: (member) => (
        <Show
          when={member.orgRole !== OrgRole.ADMIN}
          fallback={<Badge>{t(ROLE_NAMES[nameOfRole(member.role)])}</Badge>}
        >
          <Select
            label={t('settings.projectRoleOf', { email: member.email })}
            labelDisplay="hidden"
            options={choices()}
            value={choiceOf(member)}
            isDisabled={act.isBusy()}
            onChange={(choice) => act.choose(member, choice)}
          />
        </Show>
      ),
    },
  ]
}

function choiceOf({ projectRole }: ProjectMember): Choice {
  return projectRole === OrgRole.UNSPECIFIED ? 'inherited' : nameOfRole(projectRole)
}

/** The choices; a guest of the organisation is one of each project that gives no role. */
function choices(): readonly { readonly value: Choice; readonly label: string }[] {
  return [{ value: 'inherited', label: t('settings.inheritedRole') }, ...roleOptions()]
}
