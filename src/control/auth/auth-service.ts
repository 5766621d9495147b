import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { AuthService } from '../../contract/gen/public/auth/v1/auth_service_pb.js'
import { fromCookieKey } from '../../rpc/call-context.ts'
import { invalidRefreshToken, signInNotConfigured } from './auth-errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import { nameClientNetwork } from './client-network.ts'
import { continueSession, endSession, type RefreshSession } from './refresh-sessions.ts'
import { RefusalPause } from './refusal-pause.ts'
import { mailMagicLink, signInWithGoogle, signInWithLink, signInWithPassword } from './sign-in.ts'

/**
 * How long a browser gets the same answer for the same cookie: it sends one from two tabs at once, and again when it left a
 * page before the next cookie came.
 */
const COOKIE_REPEAT_MS = 10_000

/** Registers `public.auth.v1.AuthService`. */
export function registerAuth(router: ConnectRouter, ports: AuthPorts): void {
  router.service(AuthService, createAuthService(ports))
}

/** `public.auth.v1.AuthService`: signs people in to the console. */
export function createAuthService(ports: AuthPorts): ServiceImpl<typeof AuthService> {
  const { catalog, trustedProxies } = ports
  const networkOf = ({ requestHeader }: HandlerContext): string =>
    nameClientNetwork(requestHeader, trustedProxies)
  const refusals = new RefusalPause()
  return {
    signInWithEmail: async ({ email, password }, context) => {
      const attempt = signInWithPassword(ports, { email, password, network: networkOf(context) })
      return await issue(ports, await refusals.delay(attempt, context))
    },
    requestMagicLink: async ({ email }, context) => {
      const attempt = mailMagicLink(ports, { email, network: networkOf(context) })
      await refusals.delay(attempt, context)
      return {}
    },
    completeMagicLink: async (request) => await issue(ports, await signInWithLink(ports, request)),
    completeOAuthSignIn: async (request) => await issue(ports, await signInWithGoogle(ports, request)),
    refreshSession: async ({ refreshToken }, { values }) => {
      const repeatMs = values.get(fromCookieKey) ? COOKIE_REPEAT_MS : 0
      const session = await continueSession(ports, { refreshToken, repeatMs })
      if (!session) throw invalidRefreshToken()
      return await issue(ports, session)
    },
    signOut: async ({ refreshToken }) => {
      await endSession(catalog, refreshToken)
      return {}
    },
    demoSignIn: async () => {
      throw signInNotConfigured('there is no demo project')
    },
  }
}

async function issue(
  { tokens }: AuthPorts,
  session: RefreshSession,
): Promise<{ readonly token: string; readonly refreshToken: string }> {
  return { token: await tokens.issue(session), refreshToken: session.refreshToken }
}
