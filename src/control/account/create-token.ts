import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { asProjectId, type CustomerId, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { TokenScope } from '../../contract/token-scope.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import {
  generateToken,
  insertToken,
  listTokens,
  type PersonalToken,
} from '../../store/catalog/personal-tokens.ts'
import { listOpenTo } from '../../store/catalog/project-roles.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidField } from '../invalid-field.ts'

/** Bounds lists of tokens, which have no pages. */
const TOKENS_PER_ACCOUNT_MAX = 100

/** The longest life of a token: one that was forgotten ends by itself. */
const LIFETIME_DAYS_MAX = 366

/** A token to create. */
export interface RequestedToken {
  readonly customerId: CustomerId
  readonly displayName: string
  readonly scope: TokenScope
  readonly projectIds: readonly string[]
  readonly expireTime?: Timestamp | undefined
}

/**
 * Creates a token of an account. Throws `invalid_argument` for a time beyond the longest life and for a project of other people, and
 * `failed_precondition` at the limit.
 */
export async function createToken(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { customerId, displayName, scope, projectIds, expireTime }: RequestedToken,
): Promise<{ readonly token: PersonalToken; readonly text: string }> {
  const expiresMs = parseEnd(clock, expireTime)
  const text = generateToken()
  return await inTransaction(catalog, async (transaction) => {
    const ids = await parseProjects(transaction, customerId, projectIds)
    const tokens = await listTokens(transaction, customerId)
    if (tokens.length >= TOKENS_PER_ACCOUNT_MAX) throw tooManyTokens()
    const content = { customerId, displayName, scope, projectIds: ids, expiresMs, text }
    return { token: await insertToken(transaction, clock, content), text }
  })
}

function parseEnd(clock: Clock, time: Timestamp | undefined): number {
  if (!time) throw invalidField('expireTime', 'is required')
  const ms = Math.floor(timestampMs(time))
  const lifetimeMs = ms - clock.nowMs()
  if (lifetimeMs <= 0) throw invalidField('expireTime', 'must be in the future')
  if (lifetimeMs > LIFETIME_DAYS_MAX * 86_400_000)
    throw invalidField('expireTime', `must be within ${LIFETIME_DAYS_MAX} days`)
  return ms
}

/** The projects of a request. A project that the account has no access to is answered like one that does not exist. */
async function parseProjects(
  catalog: Catalog,
  customerId: CustomerId,
  sent: readonly string[],
): Promise<ProjectId[]> {
  if (sent.length === 0) return []
  const open = await listOpenTo(catalog, customerId)
  const own = new Set(open.map(({ projectId }) => String(projectId)))
  const index = sent.findIndex((id) => !own.has(id))
  if (index !== -1) throw invalidField(`projectIds[${index}]`, 'must be the id of one of your projects')
  return [...new Set(sent)].map((id) => asProjectId(Number(id)))
}

function tooManyTokens(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `an account has at most ${TOKENS_PER_ACCOUNT_MAX} tokens; revoke one first`,
  })
}
