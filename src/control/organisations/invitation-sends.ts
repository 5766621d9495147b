import { randomUUID } from 'node:crypto'
import type { OrganisationId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

const DAY_MS = 24 * 3_600_000

/** Invitations go to unverified addresses: the limit keeps an organisation from sending spam. */
const SENDS_PER_DAY_MAX = 10

/** Counts an invitation mail. Throws `resource_exhausted` at the limit for the last 24 hours. */
export async function countInvitationSend(
  transaction: Catalog,
  clock: Clock,
  organisationId: OrganisationId,
): Promise<void> {
  const nowMs = clock.nowMs()
  await transaction
    .deleteFrom('invitation_sends')
    .where('organisation_id', '=', organisationId)
    .where('sent_ms', '<=', nowMs - DAY_MS)
    .execute()
  const sends = await transaction
    .selectFrom('invitation_sends')
    .select('sent_ms')
    .where('organisation_id', '=', organisationId)
    .orderBy('sent_ms')
    .execute()
  const [oldest] = sends
  if (oldest && sends.length >= SENDS_PER_DAY_MAX) throw tooMany(oldest.sent_ms + DAY_MS - nowMs)
  await transaction
    .insertInto('invitation_sends')
    .values({ id: randomUUID(), organisation_id: organisationId, sent_ms: nowMs })
    .execute()
}

function tooMany(waitMs: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: `an organisation sends at most ${SENDS_PER_DAY_MAX} invitations in 24 hours`,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
