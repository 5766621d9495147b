import { ServiceError } from '../../contract/service-error.ts'
import { type Allowance, AttemptLimiter, type AttemptLimiterOptions } from '../auth/attempt-limiter.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import { invalidField } from '../invalid-field.ts'
import type { Dashboard } from './dashboard.ts'
import type { ShareGrant, ShareGrants } from './share-grants.ts'

/** Dependencies of admitting readers. */
export interface AdmitPorts {
  readonly passwords: Pick<PasswordHasher, 'requireAccepted' | 'verify'>
  readonly shareAttempts: ShareAttempts
  readonly grants: ShareGrants
}

/** Limits on attempts to enter passwords of shares. */
export interface ShareAttempts {
  /** Of one share from one network. */
  readonly ofReader: AttemptLimiter
  /** Of all shares from one network. */
  readonly ofNetwork: AttemptLimiter
  /** Of one share from all networks. */
  readonly ofShare: AttemptLimiter
}

const DELAY = { firstMs: 1000, maxMs: 15 * 60_000 } as const

/** Allows for typing errors and for offices that share an address. */
export function createShareAttempts(
  ports: Pick<AttemptLimiterOptions, 'catalog' | 'clock' | 'key'>,
): ShareAttempts {
  const limit = (subject: string, allowance: Allowance): AttemptLimiter =>
    new AttemptLimiter({ ...ports, subject, allowance })
  return {
    ofReader: limit('password of a share from a network', { freeCount: 10, ...DELAY }),
    ofNetwork: limit('passwords of shares from a network', { freeCount: 50, ...DELAY }),
    // Guesses from many networks must not lock out readers for long.
    ofShare: limit('password of a share', { freeCount: 200, firstMs: 1000, maxMs: 30_000 }),
  }
}

/** The proof that a reader has the password of a share. */
export interface ReaderProof {
  readonly password: string
  /** Of an earlier answer. */
  readonly grant: string
  /** The network of the client. */
  readonly network: string
}

/**
 * Admits a reader of a share, with a new grant for a password. Throws `permission_denied` without a proof,
 * `invalid_argument` for a wrong password, and `resource_exhausted`.
 */
export async function admitReader(
  ports: AdmitPorts,
  share: Dashboard,
  { password, grant, network }: ReaderProof,
): Promise<ShareGrant | undefined> {
  if (share.sharePasswordHash === '' || ports.grants.accepts(share, grant)) return undefined
  if (password === '') throw passwordRequired()
  const applicant = { standing: 'unknown', source: network } as const
  // First, so that an attempt that is not checked does not count.
  ports.passwords.requireAccepted(applicant)
  const counted = await countAttempt(ports.shareAttempts, { shareId: share.shareId, network })
  const isRight = await ports.passwords.verify(share.sharePasswordHash, password, applicant)
  if (!isRight) throw invalidField('password', 'is not the password of this dashboard')
  await counted.succeed()
  return ports.grants.issue(share)
}

/** Counts an attempt before it is checked. Throws `resource_exhausted` before the next one is allowed. */
async function countAttempt(
  { ofReader, ofNetwork, ofShare }: ShareAttempts,
  { shareId, network }: { readonly shareId: string; readonly network: string },
): Promise<{ readonly succeed: () => Promise<void> }> {
  const reader = `${shareId}\n${network}`
  await ofNetwork.take(network)
  await ofReader.take(reader)
  await ofShare.take(shareId)
  return {
    succeed: async () => {
      await ofReader.clear(reader)
      await ofNetwork.giveBack(network)
      await ofShare.giveBack(shareId)
    },
  }
}

function passwordRequired(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SHARE_PASSWORD_REQUIRED',
    message: 'this share has a password; send it, or the grant of an earlier answer',
  })
}
