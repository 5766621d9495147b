import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { fromCookieKey } from '../../access/caller.ts'
import { AuthProviderType, AuthService } from '../../contract/gen/public/auth/v1/auth_service_pb.js'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import { continueSession, endSession, type RefreshSession } from '../customers/refresh-sessions.ts'
import { invalidRefreshToken, signInNotConfigured } from './auth-errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import { nameClientNetwork } from './known-networks.ts'
import { mayContinue } from './provider-policy.ts'
import { signInWithProvider, startProviderSignIn } from './provider-sign-in.ts'
import { RefusalPause } from './refusal-pause.ts'
import { completeSecondFactor, isDue, type SignInResult, startSecondFactor } from './second-factor-step.ts'
import { requestMagicLink, signInWithGoogle, signInWithLink, signInWithPassword } from './sign-in.ts'

/**
 * How long the same cookie returns the same answer: a browser sends it from two tabs concurrently, and again when it leaves
 * a page before the next cookie arrives.
 */
const COOKIE_REPEAT_MS = 10_000

/** Registers `public.auth.v1.AuthService`. */
export function registerAuth(router: ConnectRouter, ports: AuthPorts): void {
  router.service(AuthService, createAuthService(ports))
}

/** `public.auth.v1.AuthService`: signs in to the console. */
export function createAuthService(ports: AuthPorts): ServiceImpl<typeof AuthService> {
  const { trustedProxies } = ports
  const networkOf = ({ requestHeader }: HandlerContext): string =>
    nameClientNetwork(requestHeader, trustedProxies)
  const refusals = new RefusalPause()
  return {
    getAuthConfig: async () => ({ providers: ports.oidc.providers.map(toConfig) }),
    signInWithEmail: async ({ email, password }, context) => {
      const attempt = signInWithPassword(ports, { email, password, network: networkOf(context) })
      return await finish(ports, context, await refusals.delay(attempt, context))
    },
    requestMagicLink: async ({ email }, context) => {
      const attempt = requestMagicLink(ports, { email, network: networkOf(context) })
      await refusals.delay(attempt, context)
      return {}
    },
    completeMagicLink: async ({ token, timezone }, context) => {
      const link = { token, timezone, network: networkOf(context) }
      return await finish(ports, context, await signInWithLink(ports, link))
    },
    completeOAuthSignIn: async ({ credential, timezone }, context) => {
      const proof = { credential, timezone, network: networkOf(context) }
      return await finish(ports, context, await signInWithGoogle(ports, proof))
    },
    startOIDCSignIn: async ({ providerId, loginHint }, { responseHeader }) => {
      responseHeader.set('cache-control', 'no-store')
      return await startProviderSignIn(ports, { providerId, loginHint })
    },
    completeOIDCSignIn: async ({ $typeName: _, $unknown: __, ...response }, context) => {
      const attempt = signInWithProvider(ports, { ...response, network: networkOf(context) })
      return await finish(ports, context, await refusals.delay(attempt, context))
    },
    startSecondFactor: async ({ attempt }, { responseHeader }) => {
      responseHeader.set('cache-control', 'no-store')
      return await startSecondFactor(ports, attempt)
    },
    completeSecondFactor: async ({ attempt: due, code, passkey }, context) => {
      const answer = { attempt: due, code, passkey, network: networkOf(context) }
      const attempt = completeSecondFactor(ports, answer)
      return await finish(ports, context, await refusals.delay(attempt, context))
    },
    refreshSession: async ({ refreshToken }, context) => {
      const repeatMs = context.values.get(fromCookieKey) ? COOKIE_REPEAT_MS : 0
      const session = await continueSession(ports, { refreshToken, repeatMs })
      if (!session || !(await mayContinue(ports, session))) throw invalidRefreshToken()
      return await issue(ports, context, session)
    },
    signOut: async ({ refreshToken }) => {
      await endSession(ports, refreshToken)
      return {}
    },
    demoSignIn: async () => {
      throw signInNotConfigured('there is no demo project')
    },
  }
}

function toConfig({ id, issuer, clientId, label, scopes }: OidcProvider) {
  return {
    id,
    type: AuthProviderType.OIDC,
    displayName: label,
    clientId,
    issuerUrl: issuer,
    scopes: [...scopes],
  }
}

/** The tokens of a sign-in, or its next step. */
async function finish(ports: AuthPorts, context: HandlerContext, result: SignInResult) {
  const passwordRemoved = result.isPasswordRemoved === true
  if (!isDue(result)) return { ...(await issue(ports, context, result)), passwordRemoved }
  context.responseHeader.set('cache-control', 'no-store')
  return { secondFactor: result.secondFactor, passwordRemoved: false }
}

async function issue(
  { tokens }: AuthPorts,
  { responseHeader, values }: HandlerContext,
  session: RefreshSession,
): Promise<{ readonly token: string; readonly refreshToken: string }> {
  // RFC 6749, section 5.1: caches must not store tokens.
  responseHeader.set('cache-control', 'no-store')
  const notes = values.get(edgeNotesKey)
  if (notes) notes.isVerified = true
  return { token: await tokens.issue(session), refreshToken: session.refreshToken }
}
