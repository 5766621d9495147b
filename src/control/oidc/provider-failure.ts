import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { ServiceError } from '../../contract/service-error.ts'
import { OutboundError } from '../../kernel/outbound/outbound-error.ts'
import {
  type AboutProvider,
  clientRejected,
  invalidCode,
  invalidResponse,
  providerUnavailable,
  wrongClock,
} from './oidc-errors.ts'

type Explain = (about: AboutProvider) => ServiceError

/** Codes of `openid-client` and `oauth4webapi`, by what they mean to the user; every other code is an invalid response. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  OAUTH_TIMEOUT: providerUnavailable,
  OAUTH_ABORT: providerUnavailable,
  OAUTH_RESPONSE_IS_NOT_CONFORM: providerUnavailable,
  OAUTH_RESPONSE_IS_NOT_JSON: providerUnavailable,
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: wrongClock,
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: invalidResponse,
}

/** Error codes of a token endpoint (RFC 6749, section 5.2) that are about this service and not about the code. */
const ABOUT_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

const CAUSES_MAX = 8

/** Explains a failed exchange with a provider. The cause is logged; it has no text, token or claim of the provider. */
export function explainFailure({ label }: { readonly label: string }, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  const about = { label, cause: new Error(describe(thrown)) }
  if (causesOf(thrown).some((error) => error instanceof OutboundError)) return providerUnavailable(about)
  if (thrown instanceof WWWAuthenticateChallengeError) return clientRejected(about)
  if (thrown instanceof ResponseBodyError) {
    if (ABOUT_CLIENT.has(thrown.error)) return clientRejected(about)
    return thrown.error === 'invalid_grant' ? invalidCode(about) : invalidResponse(about)
  }
  const code = thrown instanceof ClientError ? (thrown.code ?? '') : ''
  return (BY_CODE[code] ?? invalidResponse)(about)
}

function causesOf(thrown: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let error = thrown; error instanceof Error && causes.length < CAUSES_MAX; error = error.cause)
    causes.push(error)
  return causes
}

/** The messages of errors without what the provider sent. */
function describe(thrown: unknown): string {
  if (thrown instanceof ResponseBodyError) return `the provider answered ${thrown.status} with an OAuth error`
  const messages = causesOf(thrown).map((error) => {
    const { message, code } = error as Error & { readonly code?: unknown }
    return typeof code === 'string' ? `${message} [${code}]` : message
  })
  return messages.join(': ') || 'the exchange with the provider failed'
}
