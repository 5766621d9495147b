import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SignUpPolicy } from '../../settings/sign-up-policy.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AccessTokens } from '../access/access-token.ts'
import { type Allowance, AttemptLimiter, type AttemptLimiterOptions } from './attempt-limiter.ts'
import type { FairShare } from './fair-share.ts'
import type { GoogleSignIn } from './google-sign-in.ts'
import type { KnownNetworks } from './known-networks.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** What people are signed in with. */
export interface AuthPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly tokens: AccessTokens
  readonly passwords: PasswordHasher
  readonly limits: SignInLimits
  readonly networks: KnownNetworks
  /** Who may make an account. */
  readonly signUp: SignUpPolicy
  /** What refresh tokens are derived with, by all processes on the catalog. */
  readonly key: Uint8Array
  /** Absent when sign-in with Google is not set up. */
  readonly google?: GoogleSignIn | undefined
  /** Bounds the work for requests of links. */
  readonly linkShare: FairShare
  /** Mails a link to an address, in the background, if it may sign in. */
  readonly queueSignInLink: (email: string) => Promise<void>
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
}

/**
 * What slows attempts to sign in down: those on one account, and those from one place. Attempts on an account from a network
 * that it has signed in from are counted apart, so that strangers cannot keep its owner out.
 */
export interface SignInLimits {
  readonly passwordsOfAccount: AttemptLimiter
  readonly passwordsOfNetwork: AttemptLimiter
  readonly passwordsOfOrigin: AttemptLimiter
  readonly linksOfAddress: AttemptLimiter
  readonly linksOfNetwork: AttemptLimiter
  readonly linksOfOrigin: AttemptLimiter
  /** Passwords that somebody who is signed in shows to set another one. */
  readonly currentPasswords: AttemptLimiter
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
    passwordsOfOrigin: limit('passwords of an account from a network of its', { freeCount: 10, ...DELAY }),
    linksOfAddress: limit('links to an address', { freeCount: 5, ...DELAY, firstMs: 30_000 }),
    linksOfNetwork: limit('links from a network', { freeCount: 50, ...DELAY }),
    linksOfOrigin: limit('links to an address from a network of its', {
      freeCount: 5,
      ...DELAY,
      firstMs: 30_000,
    }),
    currentPasswords: limit('current password of an account', { freeCount: 10, ...DELAY }),
  }
}
