import { createClient } from '@connectrpc/connect'
import { SessionsService } from '@contract/millrace/account/v1/sessions_service_pb.js'
import { transport } from '../transport.ts'

/** Where somebody is signed in. */
export const sessionsClient = createClient(SessionsService, transport)
