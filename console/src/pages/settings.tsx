import type { DescMethod } from '@bufbuild/protobuf'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { OrgEmailProvidersService } from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { createEffect, createMemo, For, type JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { nameOfRole } from '../context/access.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { AccountSettings } from './settings-account.tsx'
import { CampaignSettings } from './settings-campaigns.tsx'
import { MailSettings } from './settings-mail.tsx'
import { MemberSettings } from './settings-members.tsx'
import { OrganisationSettings } from './settings-organisation.tsx'
import { ProjectSettings } from './settings-project.tsx'

type TabName = 'project' | 'organisation' | 'members' | 'mail' | 'campaigns' | 'account'

interface Tab {
  readonly title: string
  /** The method it reads with: the tab is hidden from roles that may not call it. */
  readonly reads: DescMethod
  readonly page: () => JSX.Element
}

const TABS = {
  project: { title: 'Project', reads: ProjectsService.method.get, page: ProjectSettings },
  organisation: {
    title: 'Organisation',
    reads: ProjectsService.method.batchGet,
    page: OrganisationSettings,
  },
  members: { title: 'Members', reads: OrgsService.method.listMembers, page: MemberSettings },
  mail: { title: 'Mail', reads: OrgEmailProvidersService.method.get, page: MailSettings },
  campaigns: { title: 'Campaigns', reads: CampaignService.method.batchGet, page: CampaignSettings },
  account: { title: 'Account', reads: CustomersService.method.getMe, page: AccountSettings },
} as const satisfies Record<TabName, Tab>

function isTabName(text: string): text is TabName {
  return Object.hasOwn(TABS, text)
}

/** The settings of the project, its organisation and the account. */
export function SettingsPage(props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const names = (): readonly TabName[] =>
    (Object.keys(TABS) as TabName[]).filter((name) => may(TABS[name].reads))
  const shown = createMemo<TabName>(() => {
    const asked = props.rest
    return isTabName(asked) && names().includes(asked) ? asked : 'project'
  })
  const hrefOf = (name: TabName): string =>
    `/p/${workspace().project.id}/settings${name === 'project' ? '' : `/${name}`}`
  let tabs: HTMLElement | undefined
  // On a narrow page the current tab scrolls into view.
  createEffect(() => {
    const link = tabs?.querySelector(`[href="${hrefOf(shown())}"]`)
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Settings</h1>
          <p class="quiet">
            {workspace().project.displayName} of {workspace().org.displayName} · you are{' '}
            {nameOfRole(workspace().org.role) === 'admin'
              ? 'an admin'
              : `a ${nameOfRole(workspace().org.role)}`}
          </p>
        </div>
      </header>
      <nav class="tabs" aria-label="Settings" ref={tabs}>
        <For each={names()}>
          {(name) => (
            <a class="tab" href={hrefOf(name)} aria-current={name === shown() ? 'page' : undefined}>
              {TABS[name].title}
            </a>
          )}
        </For>
      </nav>
      <Dynamic component={TABS[shown()].page} />
    </>
  )
}
