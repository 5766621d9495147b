import type { DescMethod } from '@bufbuild/protobuf'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { OrgEmailProvidersService } from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import ArrowLeft from 'lucide-solid/icons/arrow-left'
import Building from 'lucide-solid/icons/building'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Database from 'lucide-solid/icons/database'
import KeyRound from 'lucide-solid/icons/key-round'
import Mail from 'lucide-solid/icons/mail'
import Megaphone from 'lucide-solid/icons/megaphone'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import Target from 'lucide-solid/icons/target'
import UserRound from 'lucide-solid/icons/user-round'
import Users from 'lucide-solid/icons/users'
import { type Component, createMemo, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { nameOfRole } from '../context/access.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState } from '../ui/states.tsx'
import './settings/messages.ts'
import { AccountSettings } from './settings/account.tsx'
import { CampaignSettings } from './settings/campaigns.tsx'
import { DataSettings } from './settings/data.tsx'
import { EmailSettings } from './settings/email.tsx'
import { GeneralSettings } from './settings/general.tsx'
import { GoalSettings } from './settings/goals.tsx'
import { KeySettings } from './settings/keys.tsx'
import { MemberSettings } from './settings/members.tsx'
import { OrganisationSettings } from './settings/organisation.tsx'
import { HiddenPage, ROLE_NAMES } from './settings/role-note.tsx'
import './settings/settings.css'

const GROUPS = {
  project: 'settings.groupProject',
  organisation: 'settings.groupOrganisation',
  account: 'settings.groupAccount',
} as const satisfies Record<string, NameKey>

type Group = keyof typeof GROUPS

interface Entry {
  readonly group: Group
  readonly title: NameKey
  readonly icon: Component<{ readonly class?: string }>
  /** The method that the page reads with: roles that may not call it see who can change that. */
  readonly reads: DescMethod
  readonly page: () => JSX.Element
}

const PAGES = {
  general: {
    group: 'project',
    title: 'settings.general',
    icon: SlidersHorizontal,
    reads: ProjectsService.method.get,
    page: GeneralSettings,
  },
  keys: {
    group: 'project',
    title: 'settings.keys',
    icon: KeyRound,
    reads: ProjectsService.method.listApiKeys,
    page: KeySettings,
  },
  goals: {
    group: 'project',
    title: 'settings.goals',
    icon: Target,
    reads: GoalsService.method.list,
    page: GoalSettings,
  },
  data: {
    group: 'project',
    title: 'settings.data',
    icon: Database,
    reads: ProjectsService.method.get,
    page: DataSettings,
  },
  campaigns: {
    group: 'project',
    title: 'settings.campaigns',
    icon: Megaphone,
    reads: CampaignService.method.batchGet,
    page: CampaignSettings,
  },
  organisation: {
    group: 'organisation',
    title: 'settings.projects',
    icon: Building,
    reads: ProjectsService.method.batchGet,
    page: OrganisationSettings,
  },
  members: {
    group: 'organisation',
    title: 'settings.members',
    icon: Users,
    reads: OrgsService.method.listMembers,
    page: MemberSettings,
  },
  email: {
    group: 'organisation',
    title: 'settings.email',
    icon: Mail,
    reads: OrgEmailProvidersService.method.get,
    page: EmailSettings,
  },
  account: {
    group: 'account',
    title: 'settings.account',
    icon: UserRound,
    reads: CustomersService.method.getMe,
    page: AccountSettings,
  },
} as const satisfies Readonly<Record<string, Entry>>

type PageName = keyof typeof PAGES

const PAGE_NAMES = Object.keys(PAGES) as PageName[]

/** Addresses of earlier releases. */
const RENAMED: Readonly<Record<string, PageName>> = { '': 'general', project: 'general', mail: 'email' }

function findPage(rest: string): PageName | undefined {
  return RENAMED[rest] ?? PAGE_NAMES.find((name) => name === rest)
}

/** The settings of the project, its organisation and the account. */
export function SettingsPage(props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const name = createMemo(() => findPage(props.rest))
  const base = (): string => `/p/${workspace().project.id}/settings`
  const page = (): (() => JSX.Element) | undefined => {
    const shown = name()
    return shown && (may(PAGES[shown].reads) ? PAGES[shown].page : HiddenPage)
  }
  return (
    <div class="settings" data-page="full" data-list={props.rest === '' ? '' : undefined}>
      <PageBar class="settings-bar">
        <h1>{t('shell.settings')}</h1>
        <span class="settings-quiet ui-ellipsis">
          {t('settings.yourRole', {
            organisation: workspace().org.displayName,
            role: t(ROLE_NAMES[nameOfRole(workspace().org.role)]),
          })}
        </span>
      </PageBar>
      <div class="settings-frame">
        <SettingsNav base={base()} current={name()} />
        <div class="settings-page">
          <a class="settings-back" href={base()}>
            <ArrowLeft />
            {t('settings.all')}
          </a>
          <Show
            when={page()}
            keyed
            fallback={
              <EmptyState
                title={t('shell.notFoundTitle')}
                text={t('shell.notFoundText')}
                actions={<ButtonLink href={base()}>{t('settings.all')}</ButtonLink>}
              />
            }
          >
            {(component) => <Dynamic component={component} />}
          </Show>
        </div>
      </div>
    </div>
  )
}

function SettingsNav(props: { readonly base: string; readonly current: PageName | undefined }): JSX.Element {
  return (
    <nav class="settings-nav" aria-label={t('settings.pages')}>
      <For each={Object.keys(GROUPS) as Group[]}>
        {(group) => (
          <div class="settings-group">
            <p id={`settings-${group}`}>{t(GROUPS[group])}</p>
            <ul aria-labelledby={`settings-${group}`}>
              <For each={PAGE_NAMES.filter((name) => PAGES[name].group === group)}>
                {(name) => (
                  <li>
                    <a
                      href={`${props.base}/${name}`}
                      aria-current={name === props.current ? 'page' : undefined}
                    >
                      <Dynamic component={PAGES[name].icon} />
                      <span>{t(PAGES[name].title)}</span>
                      <ChevronRight class="settings-arrow" />
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </div>
        )}
      </For>
    </nav>
  )
}
