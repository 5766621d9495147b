import { createClient } from '@connectrpc/connect'
import { AuthService } from '@contract/public/auth/v1/auth_service_pb.js'
import { publicTransport } from '../transport.ts'

/** Signing in. */
export const authClient = createClient(AuthService, publicTransport)
