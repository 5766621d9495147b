import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { ADDRESS, call } from './client.ts'

/** Configurations of the attacked service, by name. */
export const SETUPS = {
  /** The default: loopback is trusted, so that each caller may be behind a proxy of this machine. */
  proxied: {},
  /** Every client connects directly. */
  direct: { SERVICE_TRUSTED_PROXIES: 'none' },
  /** Two thousand connections are more than it has descriptors. */
  'few-descriptors': { SERVICE_TRUSTED_PROXIES: 'none' },
  /** Without the front that detects HTTP/2. */
  'http1-only': { SERVICE_HTTP2: 'off', SERVICE_TRUSTED_PROXIES: 'none' },
  /** Mail may go to this machine. */
  'loopback-mail': { SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8' },
  /** Every address may create an account. */
  'open-sign-up': { SERVICE_SIGN_UP: 'open' },
  /** Addresses of one domain may create an account. */
  'domain-sign-up': { SERVICE_SIGN_UP: 'domains:example.com' },
  /** Pages of one origin may call everything. */
  'listed-origin': { SERVICE_CORS_ORIGINS: 'https://app.example.com' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Name of a setup. */
export type Setup = keyof typeof SETUPS

/** The account of the first admin. */
export const ADMIN = { email: 'ada@example.org', password: 'correct horse battery' } as const

/** Keys and ids of the second tenant. */
export interface Tenant {
  readonly privateKey: string
  readonly publicKey: string
  readonly projectId: string
  readonly orgId: string
}

/** The result of a sign-in. */
export interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

/** The facts that callers need about a service; serializable for another process. */
export class Target {
  readonly setup: Setup
  readonly url: string
  readonly privateKey = PRIVATE_KEY
  readonly publicKey = PUBLIC_KEY
  /** The second tenant, once there is one. */
  protected tenant: Tenant | undefined

  constructor(setup: Setup, url: string, tenant?: Tenant) {
    this.setup = setup
    this.url = url
    this.tenant = tenant
  }

  /** The second tenant. */
  get other(): Tenant {
    if (!this.tenant) throw new Error('the second tenant does not exist yet')
    return this.tenant
  }

  /** The address of attackers; behind a proxy, that of every client. */
  get attacker(): string {
    return this.setup === 'proxied' ? '127.0.0.1' : ADDRESS.attacker
  }

  /** The address of honest callers. */
  get honest(): string {
    return this.setup === 'proxied' ? '127.0.0.1' : ADDRESS.honest
  }

  /** Signs in, as the admin unless told otherwise. */
  async signIn(credentials: { readonly email: string; readonly password: string } = ADMIN): Promise<Tokens> {
    const { status, json } = await call(this.url, 'public.auth.v1.AuthService/SignInWithEmail', credentials)
    if (status !== 200) throw new Error(`the sign-in of ${credentials.email} is answered with ${status}`)
    return { token: String(json.token), refreshToken: String(json.refreshToken) }
  }
}
