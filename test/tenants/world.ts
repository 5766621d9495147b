import { ALL_METHODS, shortName } from '../harness/contract-services.ts'
import { callMethod } from './rpc.ts'
import { RANGE, type Services, type Tenant } from './tenant.ts'

/** Tables of the catalog that have rows of tenants. What works in the background changes others. */
const OF_PROJECT = [
  'alerts',
  'annotations',
  'api_keys',
  'campaigns',
  'channels',
  'cohorts',
  'dashboards',
  'deletion_requests',
  'devices',
  'goals',
  'ignored_duplicates',
  'merged_names',
  'name_definitions',
  'report_recipients',
  'reports',
  'saved_insights',
  'saved_insight_versions',
] as const
const OF_ORGANISATION = ['email_providers', 'invitations', 'memberships', 'projects'] as const

const METHODS = new Map(ALL_METHODS.map((method) => [shortName(method), method]))

/** All answers that a tenant can see, by request. */
export async function readWorld(
  { service, counted }: Services,
  tenant: Tenant,
): Promise<Map<string, string>> {
  const { orgId, projectId, externalId, distinctId } = tenant.names
  const asked = {
    'ActivityService/GetEventExplorer': { pageSize: 1000, timeRange: RANGE },
    'ActivityService/GetProfileStats': { distinctId },
    'ProfilesService/List': {},
    'ProfilesService/GetByExternalId': { externalId, withMergedIds: true },
    'CampaignService/BatchGet': {},
    'DashboardsService/List': {},
    'AlertsService/List': {},
    'ChannelsService/List': {},
    'ReportsService/List': {},
    'CohortsService/List': {},
    'GoalsService/List': {},
    'SavedInsightsService/List': {},
    'AnnotationsService/List': { allDashboards: true },
    'DictionaryService/ListEvents': {},
    'DictionaryService/ExportDefinitions': {},
    'WarningsService/List': { dialects: ['posthog'] },
    'ProjectsService/Get': {},
    'ProjectsService/ListApiKeys': {},
    'OrgsService/Get': { orgId },
    'OrgsService/ListMembers': { orgId },
    'OrgsService/ListInvitations': { orgId },
    'OrgEmailProvidersService/Get': { orgId },
    'SessionsService/List': {},
    'IdentitiesService/List': {},
  }
  const world = new Map<string, string>()
  for (const [name, request] of Object.entries(asked)) {
    const method = METHODS.get(name)
    if (!method) throw new Error(`there is no ${name}`)
    const { verdict, text } = await callMethod(method, request, { url: service.url, headers: tenant.asAdmin })
    if (verdict !== 'ok') throw new Error(`${name} answers ${verdict}`)
    world.set(name, text)
  }
  const { catalog } = counted
  for (const table of OF_PROJECT)
    world.set(
      table,
      print(
        await catalog.selectFrom(table).selectAll().where('project_id', '=', Number(projectId)).execute(),
      ),
    )
  for (const table of OF_ORGANISATION)
    world.set(
      table,
      print(await catalog.selectFrom(table).selectAll().where('organisation_id', '=', orgId).execute()),
    )
  return world
}

function print(rows: readonly object[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n')
}
