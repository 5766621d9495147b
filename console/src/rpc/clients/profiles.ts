import { createClient } from '@connectrpc/connect'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { transport } from '../transport.ts'

/** People. */
export const profilesClient = createClient(ProfilesService, transport)
