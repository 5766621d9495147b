import type { DescService } from '@bufbuild/protobuf'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { DashboardsService } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgEmailProvidersService } from '../../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '../../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { SessionsService } from '../../contract/gen/millrace/account/v1/sessions_service_pb.js'
import { ActivityService } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { CampaignService } from '../../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import { DeliveryService } from '../../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import { InsightsService } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { type AccessRule, ROLE_RULES } from '../../domain/role-rules.ts'

const SERVICES: readonly DescService[] = [
  CustomersService,
  DashboardsService,
  OrgEmailProvidersService,
  OrgsService,
  ProjectsService,
  SessionsService,
  ActivityService,
  CampaignService,
  DeliveryService,
  InsightsService,
  ProfilesService,
]

const RULES: ReadonlyMap<string, AccessRule> = new Map(SERVICES.flatMap(rulesOf))

function rulesOf({ typeName, methods }: DescService): [path: string, rule: AccessRule][] {
  return methods.flatMap(({ name, localName }): [string, AccessRule][] => {
    const rule = ROLE_RULES[typeName]?.[localName]
    return rule ? [[`${typeName}/${name}`, rule]] : []
  })
}

/** A method, by the full name of its service and its own. */
export interface MethodName {
  readonly service: string
  readonly method: string
}

/** Who may call a method; `undefined` for one that the table does not have: nobody may. */
export function findAccessRule({ service, method }: MethodName): AccessRule | undefined {
  return RULES.get(`${service}/${method}`)
}
