import { createClient } from '@connectrpc/connect'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { transport } from '../transport.ts'

/** Organisations, members and invitations. */
export const orgsClient = createClient(OrgsService, transport)
