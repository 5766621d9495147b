import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ServiceError } from '../../contract/service-error.ts'
import { clientNetwork } from '../../kernel/address-ranges.ts'
import { openTicket } from './consent-ticket.ts'
import { renderErrorPage } from './oauth-error-page.ts'
import { ASSISTANT_SCOPES, ENDPOINTS, SERVER_METADATA_PATHS } from './oauth-paths.ts'
import type { OauthServerPorts } from './oauth-server.ts'

type Rule = (context: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

const METADATA: ReadonlySet<string> = new Set(SERVER_METADATA_PATHS)

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** What happens before the library sees a request. */
export function createRequestRules(ports: OauthServerPorts, provider: Provider): readonly Rule[] {
  return [
    async (context, next) => {
      context.set(HEADERS)
      await next()
      if (METADATA.has(context.path)) describeRestrictions(context)
    },
    async (context, next) => {
      try {
        await limit(ports, context)
      } catch (error) {
        return refuse(context, ServiceError.from(error))
      }
      await next()
    },
    async (context, next) => {
      if (context.path === ENDPOINTS.authorization) normaliseRequest(context)
      if (await takeAnswer(ports, provider, context)) await next()
    },
  ]
}

/** Counts what anybody may do without any proof. Throws `resource_exhausted`. */
async function limit(
  { limits, trustedProxies }: OauthServerPorts,
  { path, method, headers }: KoaContextWithOIDC,
): Promise<void> {
  const network = clientNetwork(String(headers['x-forwarded-for'] ?? ''), trustedProxies)
  if (path === ENDPOINTS.registration && method === 'POST') await limits.registrationsOfNetwork.take(network)
  if (path === ENDPOINTS.authorization && method === 'GET') await limits.requestsOfNetwork.take(network)
}

function refuse(context: KoaContextWithOIDC, { code, message, retryAfterSeconds }: ServiceError): void {
  const isLimit = code === 'resource_exhausted'
  context.status = isLimit ? 429 : 503
  if (retryAfterSeconds !== undefined) context.set('retry-after', String(retryAfterSeconds))
  const error_description = isLimit ? message : 'the service is not available at the moment; try again'
  context.body = { error: 'temporarily_unavailable', error_description }
}

/**
 * Scopes that do not exist here are left out (RFC 6749 section 3.3), and a request without any other reads. Consent is always asked for,
 * so nothing but `none` means anything as a prompt; codes travel in the query of the redirect URI.
 */
function normaliseRequest(context: KoaContextWithOIDC): void {
  const { scope, prompt, response_mode: _, ...query } = context.query
  const asked = typeof scope === 'string' ? scope.split(' ') : []
  const known = ASSISTANT_SCOPES.filter((name) => asked.includes(name))
  context.query = {
    ...query,
    scope: known.length === 0 ? 'read' : known.join(' '),
    ...(prompt === 'none' && { prompt }),
  }
}

const RESUME = new RegExp(`^${ENDPOINTS.authorization}/([\\w-]{1,64})$`)

/** Gives the library the answer that the browser brings. False when the request is answered. */
async function takeAnswer(
  ports: OauthServerPorts,
  provider: Provider,
  context: KoaContextWithOIDC,
): Promise<boolean> {
  const requestId = RESUME.exec(context.path)?.[1]
  if (requestId === undefined) return true
  const isOwn = context.cookies.get(provider.cookieName('resume'), { signed: true }) === requestId
  const { answer: ticket } = context.query
  const answer = typeof ticket === 'string' ? openTicket(ports, requestId, ticket) : undefined
  const interaction = isOwn && answer ? await provider.Interaction.find(requestId) : undefined
  if (!answer || !interaction) {
    context.status = 400
    await renderErrorPage(context, {
      error: 'invalid_request',
      error_description:
        'the request has expired, was answered, or began in another browser; connect the assistant again',
    })
    return false
  }
  interaction.result =
    answer.kind === 'refused'
      ? { error: 'access_denied', error_description: 'the member refused' }
      : { login: { accountId: answer.customerId, remember: false }, consent: { grantId: answer.grantId } }
  await interaction.persist()
  return true
}

/** The metadata of the library names more than a client can use here. */
function describeRestrictions(context: KoaContextWithOIDC): void {
  const { body } = context
  if (typeof body !== 'object' || body === null) return
  const {
    userinfo_endpoint: _,
    claims_supported: __,
    claims_parameter_supported: ___,
    ...rest
  } = body as Record<string, unknown>
  context.body = { ...rest, scopes_supported: ASSISTANT_SCOPES, response_modes_supported: ['query'] }
}
