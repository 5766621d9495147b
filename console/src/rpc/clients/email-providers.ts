import { createClient } from '@connectrpc/connect'
import { OrgEmailProvidersService } from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { transport } from '../transport.ts'

/** How an organisation sends mail. */
export const emailProvidersClient = createClient(OrgEmailProvidersService, transport)
