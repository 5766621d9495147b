import { OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Lock from 'lucide-solid/icons/lock'
import { type JSX, Show } from 'solid-js'
import type { RoleName } from '../../context/access.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { EmptyState } from '../../ui/states.tsx'

const orgsClient = clientOf(OrgsService)

/** The names of the roles. */
export const ROLE_NAMES = {
  admin: 'settings.roleAdmin',
  member: 'settings.roleMember',
  viewer: 'settings.roleViewer',
  guest: 'settings.roleGuest',
} as const satisfies Record<RoleName, NameKey>

/** The roles to choose from, from the most powerful down. */
export function roleOptions(): readonly { readonly value: RoleName; readonly label: string }[] {
  return (Object.entries(ROLE_NAMES) as [RoleName, NameKey][]).map(([value, name]) => ({
    value,
    label: t(name),
  }))
}

/** Admins whom a note names. */
const ADMINS_NAMED = 5

/** The first admins of the current organisation. */
export function useAdmins() {
  const workspace = useWorkspace()
  const may = useMay()
  return useQuery(() => {
    const orgId = workspace().org.id
    const request = { orgId, role: OrgRole.ADMIN, pageSize: ADMINS_NAMED }
    return {
      // A guest of the organisation sees no members.
      enabled: may(OrgsService.method.listMembers),
      queryKey: ['members', orgId, 'admins'],
      queryFn: async () => (await orgsClient.listMembers(request)).members,
    }
  })
}

/** The admins who can give the reader another role. */
function Admins(): JSX.Element {
  const workspace = useWorkspace()
  const admins = useAdmins()
  const names = (): string => (admins.isSuccess ? admins.data : []).map(({ email }) => email).join(', ')
  return (
    <Show when={names()}>
      {(listed) => (
        <>{t('settings.needsAdmin', { organisation: workspace().org.displayName, names: listed() })}</>
      )}
    </Show>
  )
}

/** In the place of controls that the role does not permit: who can change that. */
export function RoleNote(): JSX.Element {
  return (
    <p class="settings-note">
      <Lock size={14} />
      <span>
        {t('settings.needsRole')}. <Admins />
      </span>
    </p>
  )
}

/** In the place of a page that the role may not read. */
export function HiddenPage(): JSX.Element {
  return (
    <section class="ui-card">
      <EmptyState icon={<Lock />} title={t('settings.hidden')} text={<Admins />} />
    </section>
  )
}
