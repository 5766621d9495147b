import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import { unknownProvider } from '../oidc/oidc-errors.ts'
import { ProviderClient } from '../oidc/provider-client.ts'
import { SignInAttempts } from '../oidc/sign-in-attempts.ts'

/** The path to which a provider returns; its id follows, so that each provider has an address of its own. */
const CALLBACK_PATH = '/oauth/callback'

/** What signing in with OpenID Connect providers needs. */
export interface ProviderPorts {
  readonly providers: readonly OidcProvider[]
  readonly attempts: SignInAttempts
  readonly sealer: Sealer
  readonly log: Logger
  /** The client of a provider. Throws `failed_precondition` for an unknown id. */
  readonly clientOf: (providerId: string) => ProviderClient
  /** The address to which a provider returns. */
  readonly callbackUrl: (providerId: string) => string
  /** Whether an address belongs to a page of this service, or of an origin that the settings allow. */
  readonly isOwnCallback: (url: string) => boolean
}

/** Parts of {@link openProviderPorts}. */
export interface ProviderPortsParts {
  readonly providers: readonly OidcProvider[]
  readonly outbound: Outbound
  readonly clock: Clock
  readonly sealer: Sealer
  readonly log: Logger
  readonly publicUrl: string
  /** `SERVICE_CORS_ORIGINS`: consoles of other origins complete their sign-ins themselves. */
  readonly corsOrigins: readonly string[]
}

/** Opens the clients of the providers; none is contacted before a sign-in. */
export function openProviderPorts(parts: ProviderPortsParts): ProviderPorts {
  const { providers, outbound, clock, sealer, log } = parts
  const clients = new Map(
    providers.map((provider) => [provider.id, new ProviderClient({ provider, outbound, clock })]),
  )
  const base = parts.publicUrl.replace(/\/+$/, '')
  const origins = new Set([new URL(base).origin, ...parts.corsOrigins])
  return {
    providers,
    sealer,
    log,
    attempts: new SignInAttempts(sealer, clock),
    clientOf: (providerId) => {
      const client = clients.get(providerId)
      if (!client) throw unknownProvider()
      return client
    },
    callbackUrl: (providerId) => `${base}${CALLBACK_PATH}/${providerId}`,
    isOwnCallback: (url) => {
      const parsed = URL.parse(url)
      return parsed !== null && origins.has(parsed.origin) && isCallbackPath(parsed)
    },
  }
}

/** The whole path: the provider compares the address with the one that it redirected to. */
function isCallbackPath({ pathname, search, hash }: URL): boolean {
  return /\/oauth\/callback(\/[a-z][a-z0-9_-]*)?$/.test(pathname) && search === '' && hash === ''
}
