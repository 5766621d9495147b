import ArrowLeft from 'lucide-solid/icons/arrow-left'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { nameOfRole } from '../context/access.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.ts'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ChannelSettings } from './channels/channel-settings.tsx'
import { ProofDialog } from './second-factor/with-proof.tsx'
import { AccessSettings } from './settings/access.tsx'
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
import {
  GROUPS,
  type Group,
  SETTINGS_NAMES,
  SETTINGS_PAGES,
  type SettingsPageName,
} from './settings/settings-pages.ts'

const AuditPage = lazy(async () => ({ default: (await import('./audit/audit-page.tsx')).AuditPage }))

const COMPONENTS = {
  general: GeneralSettings,
  keys: KeySettings,
  access: AccessSettings,
  goals: GoalSettings,
  channels: ChannelSettings,
  data: DataSettings,
  campaigns: CampaignSettings,
  organisation: OrganisationSettings,
  members: MemberSettings,
  email: EmailSettings,
  audit: AuditPage,
  account: AccountSettings,
} as const satisfies Record<SettingsPageName, () => JSX.Element>

/** Addresses of earlier releases. */
const RENAMED: Readonly<Record<string, SettingsPageName>> = {
  '': 'general',
  project: 'general',
  mail: 'email',
}

function findPage(rest: string): SettingsPageName | undefined {
  return RENAMED[rest] ?? SETTINGS_NAMES.find((name) => name === rest)
}

/** The settings of the project, its organisation and the account. */
export function SettingsPage(props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const name = createMemo(() => findPage(props.rest))
  const base = (): string => `/p/${workspace().project.id}/settings`
  const page = (): (() => JSX.Element) | undefined => {
    const shown = name()
    return shown && (may(SETTINGS_PAGES[shown].reads) ? COMPONENTS[shown] : HiddenPage)
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
          <Show when={workspace().project.role !== workspace().org.role}>
            {` · ${t('settings.yourProjectRole', {
              project: workspace().project.displayName,
              role: t(ROLE_NAMES[nameOfRole(workspace().project.role)]),
            })}`}
          </Show>
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
      <ProofDialog />
    </div>
  )
}

function SettingsNav(props: {
  readonly base: string
  readonly current: SettingsPageName | undefined
}): JSX.Element {
  return (
    <nav class="settings-nav" aria-label={t('settings.pages')}>
      <For each={Object.keys(GROUPS) as Group[]}>
        {(group) => (
          <div class="settings-group">
            <p id={`settings-${group}`}>{t(GROUPS[group])}</p>
            <ul aria-labelledby={`settings-${group}`}>
              <For each={SETTINGS_NAMES.filter((name) => SETTINGS_PAGES[name].group === group)}>
                {(name) => (
                  <li>
                    <a
                      href={`${props.base}/${name}`}
                      aria-current={name === props.current ? 'page' : undefined}
                    >
                      <Dynamic component={SETTINGS_PAGES[name].icon} />
                      <span>{t(SETTINGS_PAGES[name].title)}</span>
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
