import type { DescMethod } from '@bufbuild/protobuf'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { OrgEmailProvidersService } from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { ChannelsService } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { AuditLogService } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { ProjectMembersService } from '@contract/millrace/projects/v1/project_members_service_pb.js'
import { GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import Bell from 'lucide-solid/icons/bell'
import Building from 'lucide-solid/icons/building'
import Database from 'lucide-solid/icons/database'
import KeyRound from 'lucide-solid/icons/key-round'
import Mail from 'lucide-solid/icons/mail'
import Megaphone from 'lucide-solid/icons/megaphone'
import ScrollText from 'lucide-solid/icons/scroll-text'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import Target from 'lucide-solid/icons/target'
import UserCog from 'lucide-solid/icons/user-cog'
import UserRound from 'lucide-solid/icons/user-round'
import Users from 'lucide-solid/icons/users'
import type { Component } from 'solid-js'
import type { NameKey } from '../../i18n/translate.ts'
import './messages.ts'

/** The groups of pages, with their names. */
export const GROUPS = {
  project: 'settings.groupProject',
  organisation: 'settings.groupOrganisation',
  account: 'settings.groupAccount',
} as const satisfies Record<string, NameKey>

/** A group of pages. */
export type Group = keyof typeof GROUPS

interface SettingsEntry {
  readonly group: Group
  readonly title: NameKey
  readonly icon: Component<{ readonly class?: string }>
  /** The method that the page reads with: roles that may not call it see who can change that. */
  readonly reads: DescMethod
}

/** The pages of settings, by their names in addresses. */
export const SETTINGS_PAGES = {
  general: {
    group: 'project',
    title: 'settings.general',
    icon: SlidersHorizontal,
    reads: ProjectsService.method.get,
  },
  keys: {
    group: 'project',
    title: 'settings.keys',
    icon: KeyRound,
    reads: ProjectsService.method.listApiKeys,
  },
  access: {
    group: 'project',
    title: 'settings.access',
    icon: UserCog,
    reads: ProjectMembersService.method.list,
  },
  goals: {
    group: 'project',
    title: 'settings.goals',
    icon: Target,
    reads: GoalsService.method.list,
  },
  channels: {
    group: 'project',
    title: 'settings.channels',
    icon: Bell,
    reads: ChannelsService.method.list,
  },
  data: {
    group: 'project',
    title: 'settings.data',
    icon: Database,
    reads: ProjectsService.method.get,
  },
  campaigns: {
    group: 'project',
    title: 'settings.campaigns',
    icon: Megaphone,
    reads: CampaignService.method.batchGet,
  },
  organisation: {
    group: 'organisation',
    title: 'settings.projects',
    icon: Building,
    reads: ProjectsService.method.batchGet,
  },
  members: {
    group: 'organisation',
    title: 'settings.members',
    icon: Users,
    reads: OrgsService.method.listMembers,
  },
  email: {
    group: 'organisation',
    title: 'settings.email',
    icon: Mail,
    reads: OrgEmailProvidersService.method.get,
  },
  audit: {
    group: 'organisation',
    title: 'settings.audit',
    icon: ScrollText,
    reads: AuditLogService.method.list,
  },
  account: {
    group: 'account',
    title: 'settings.account',
    icon: UserRound,
    reads: CustomersService.method.getMe,
  },
} as const satisfies Readonly<Record<string, SettingsEntry>>

/** The name of a page of settings. */
export type SettingsPageName = keyof typeof SETTINGS_PAGES

/** The names of the pages, in their order. */
export const SETTINGS_NAMES = Object.keys(SETTINGS_PAGES) as SettingsPageName[]
