import { ServiceError } from '../../contract/service-error.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { SessionKey } from '../customers/account-sessions.ts'
import { invalidField } from '../invalid-field.ts'
import { refusedByProvider } from '../oidc/oidc-errors.ts'
import type { CodeToExchange, ProviderClient } from '../oidc/provider-client.ts'
import type { ProviderUser } from '../oidc/provider-user.ts'
import { createAttempt } from '../oidc/sign-in-attempts.ts'
import { admitProviderUser, type ProvedUser } from './admit-provider-user.ts'
import type { AuthPorts } from './auth-ports.ts'
import { isDue, type SignInResult } from './second-factor-step.ts'
import { parseTimeZone } from './sign-in.ts'

/** Exchanges with providers at once; each may take some seconds. */
const EXCHANGES_MAX = 32

/** A sign-in that starts. */
export interface ProviderStart {
  readonly providerId: string
  /** An address that the provider may fill in; empty for none. */
  readonly loginHint: string
  /** The session of the account that connects the identity; absent for a sign-in. */
  readonly connect?: SessionKey
}

/** A started sign-in. */
export interface StartedSignIn {
  readonly authorizationUrl: string
  /** For the browser that started it. */
  readonly attempt: string
}

/** Starts a sign-in with a provider. Throws `failed_precondition` for an unknown one, and `unavailable`. */
export async function startProviderSignIn(
  { oidc, clock }: Pick<AuthPorts, 'oidc' | 'clock'>,
  { providerId, loginHint, connect }: ProviderStart,
): Promise<StartedSignIn> {
  const client = oidc.clientOf(providerId)
  const attempt = createAttempt(clock, { providerId, redirectUri: oidc.callbackUrl(providerId), connect })
  return {
    authorizationUrl: await client.authorizationUrl(attempt, loginHint),
    attempt: oidc.attempts.seal(attempt),
  }
}

/** A response of a provider, as a client passes it on. */
export interface ProviderResponse {
  readonly providerId: string
  readonly code: string
  readonly error: string
  readonly issuer: string
  readonly state: string
  /** Empty when the client began the sign-in itself, with its own secrets. */
  readonly attempt: string
  readonly codeVerifier: string
  readonly redirectUri: string
  readonly nonce: string
  readonly timezone: string
  readonly network: string
}

/** Starts a session for the response of a provider. Throws the errors of `oidc-errors.ts`, and as `admitCustomer`. */
export async function signInWithProvider(
  ports: AuthPorts,
  response: ProviderResponse,
): Promise<SignInResult> {
  const timezone = parseTimeZone(response.timezone)
  const client = ports.oidc.clientOf(response.providerId)
  const { sent, connect } = readSecrets(ports, response)
  if (response.error !== '') throw refusedByProvider({ ...client.provider, error: response.error })
  if (sent.code === '') throw invalidField('code', 'is required')
  await ports.limits.providersOfNetwork.take(response.network)
  const user = await exchange(ports, client, sent)
  const proved: ProvedUser = { user, provider: client.provider, nonce: sent.nonce, connect, timezone }
  const { email, result } = await inTransaction(
    ports.catalog,
    async (catalog) => await admitProviderUser({ ...ports, catalog }, proved),
  )
  await ports.limits.providersOfNetwork.giveBack(response.network)
  if (!isDue(result)) await ports.networks.remember({ email, network: response.network })
  return result
}

interface ReadSecrets {
  readonly sent: CodeToExchange
  readonly connect: SessionKey | undefined
}

function readSecrets({ oidc }: AuthPorts, response: ProviderResponse): ReadSecrets {
  const { code, issuer, attempt, state, codeVerifier, redirectUri, nonce } = response
  if (attempt !== '') {
    const { connect, ...opened } = oidc.attempts.open(response)
    const secrets = {
      codeVerifier: opened.codeVerifier,
      redirectUri: opened.redirectUri,
      nonce: opened.nonce,
    }
    return { sent: { ...secrets, code, issuer, state }, connect }
  }
  if (codeVerifier === '') throw invalidField('codeVerifier', 'is required without an attempt')
  if (nonce === '') throw invalidField('nonce', 'is required without an attempt')
  if (!oidc.isOwnCallback(redirectUri))
    throw invalidField(
      'redirectUri',
      'must be /oauth/callback of this service, or of an origin in SERVICE_CORS_ORIGINS',
    )
  return { sent: { codeVerifier, redirectUri, nonce, code, issuer, state: undefined }, connect: undefined }
}

let exchanging = 0

async function exchange(
  { oidc }: AuthPorts,
  client: ProviderClient,
  sent: CodeToExchange,
): Promise<ProviderUser> {
  if (exchanging >= EXCHANGES_MAX) throw tooManyExchanges()
  exchanging++
  try {
    return await client.exchange(sent)
  } catch (thrown) {
    const { reason, cause } = ServiceError.from(thrown)
    // Users see what happened; only the operator can see why.
    oidc.log.warn({ provider: client.provider.id, reason, err: cause }, 'a sign-in with a provider failed')
    throw thrown
  } finally {
    exchanging--
  }
}

function tooManyExchanges(): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'too many sign-ins with providers at once; try again',
    retryAfterSeconds: 1,
  })
}
