import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AccessTokens } from '../access/access-token.ts'
import type { SendMail } from '../mail/mail.ts'
import { type Allowance, AttemptLimiter, type AttemptLimiterOptions } from './attempt-limiter.ts'
import type { GoogleSignIn } from './google-sign-in.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** What people are signed in with. */
export interface AuthPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly tokens: AccessTokens
  readonly passwords: PasswordHasher
  readonly limits: SignInLimits
  /** What refresh tokens are derived with, by all processes on the catalog. */
  readonly key: Uint8Array
  /** Absent when sign-in with Google is not set up. */
  readonly google?: GoogleSignIn | undefined
  readonly sendMail: SendMail
  /** The address that signs in whoever has the token. */
  readonly magicLinkUrl: (token: string) => string
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
}

/** What slows attempts to sign in down: those on one account, and those from one place. */
export interface SignInLimits {
  readonly passwordsOfAccount: AttemptLimiter
  readonly passwordsOfNetwork: AttemptLimiter
  readonly linksOfAddress: AttemptLimiter
  readonly linksOfNetwork: AttemptLimiter
}

const DELAY = { firstMs: 1000, maxMs: 15 * 60_000 } as const

/** Where attempts are counted. */
export type SignInLimitPorts = Pick<AttemptLimiterOptions, 'catalog' | 'clock' | 'key'>

/** A person mistypes a few times; an office shares one address. An address gets few mails that it did not ask for. */
export function createSignInLimits(ports: SignInLimitPorts): SignInLimits {
  const limit = (subject: string, allowance: Allowance): AttemptLimiter =>
    new AttemptLimiter({ ...ports, subject, allowance })
  return {
    passwordsOfAccount: limit('password of an account', { freeCount: 10, ...DELAY }),
    passwordsOfNetwork: limit('passwords from a network', { freeCount: 50, ...DELAY }),
    linksOfAddress: limit('links to an address', { freeCount: 5, ...DELAY, firstMs: 30_000 }),
    linksOfNetwork: limit('links from a network', { freeCount: 50, ...DELAY }),
  }
}
