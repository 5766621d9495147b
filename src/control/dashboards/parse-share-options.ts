import { isFieldSet } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type DashboardsServiceUpdateRequest,
  DashboardsServiceUpdateRequestSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import { invalidField } from '../invalid-field.ts'
import { TIME_END_MS } from '../projects/parse-key-limits.ts'
import type { DashboardSharing } from './dashboard.ts'

/** Dependencies of the options of shares. */
export interface ShareOptionsPorts {
  readonly clock: Clock
  readonly passwords: Pick<PasswordHasher, 'hash'>
}

/** The same as for accounts. */
const PASSWORD_LENGTH_MIN = 8

/** The options of the share that a request changes. Throws `invalid_argument`, and `resource_exhausted` while a password cannot be hashed. */
export async function parseShareOptions(
  { clock, passwords }: ShareOptionsPorts,
  request: DashboardsServiceUpdateRequest,
  customerId: CustomerId,
): Promise<Partial<Omit<DashboardSharing, 'shareId'>>> {
  const { field } = DashboardsServiceUpdateRequestSchema
  const expiry = request.shareExpireTime && parseExpiry(timestampMs(request.shareExpireTime), clock.nowMs())
  const password = isFieldSet(request, field.sharePassword) ? parsePassword(request.sharePassword) : undefined
  const hash = password
    ? await passwords.hash(password, { standing: 'account', source: customerId })
    : password
  return {
    ...(isFieldSet(request, field.isRangePinned) && { isRangePinned: request.isRangePinned }),
    ...(isFieldSet(request, field.isEmbeddable) && { isEmbeddable: request.isEmbeddable }),
    ...(expiry !== undefined && { shareExpiresMs: expiry }),
    ...(hash !== undefined && { sharePasswordHash: hash }),
  }
}

/** The epoch stands for no expiry. */
function parseExpiry(timeMs: number, nowMs: number): number {
  const expiresMs = Math.floor(timeMs)
  if (expiresMs >= TIME_END_MS) throw invalidField('shareExpireTime', 'must be before the year 10000')
  if (expiresMs === 0 || expiresMs > nowMs) return expiresMs
  throw invalidField('shareExpireTime', 'must be in the future, or 1970-01-01T00:00:00Z for no expiry')
}

/** The empty text removes the password. */
function parsePassword(password: string): string {
  if (password === '' || [...password].length >= PASSWORD_LENGTH_MIN) return password
  throw invalidField('sharePassword', `must have at least ${PASSWORD_LENGTH_MIN} characters`)
}
