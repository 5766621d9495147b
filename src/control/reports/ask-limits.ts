import { randomUUID } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

const DAY_MS = 24 * 3_600_000

/** Mails that ask to confirm go to anybody: these limits keep projects from sending spam with them. */
const ASKS_PER_PROJECT_MAX = 20
/** From all projects together. */
const ASKS_PER_ADDRESS_MAX = 3

/** Counts a mail that asks to confirm. Throws `resource_exhausted` at the limits of the last 24 hours. */
export async function countAsk(
  transaction: Catalog,
  ask: { readonly projectId: ProjectId; readonly digest: string; readonly nowMs: number },
): Promise<void> {
  const { projectId, digest, nowMs } = ask
  await transaction
    .deleteFrom('report_asks')
    .where('sent_ms', '<=', nowMs - DAY_MS)
    .execute()
  const asks = await transaction
    .selectFrom('report_asks')
    .select(['project_id', 'digest', 'sent_ms'])
    .where(({ eb, or }) => or([eb('project_id', '=', projectId), eb('digest', '=', digest)]))
    .orderBy('sent_ms')
    .execute()
  const ofProject = asks.filter(({ project_id }) => project_id === projectId)
  const toAddress = asks.filter((one) => one.digest === digest)
  if (ofProject.length >= ASKS_PER_PROJECT_MAX)
    throw tooMany(`a project asks at most ${ASKS_PER_PROJECT_MAX} addresses in 24 hours`, ofProject, nowMs)
  if (toAddress.length >= ASKS_PER_ADDRESS_MAX)
    throw tooMany('an address was asked too often in the last 24 hours', toAddress, nowMs)
  await transaction
    .insertInto('report_asks')
    .values({ id: randomUUID(), project_id: projectId, digest, sent_ms: nowMs })
    .execute()
}

function tooMany(
  message: string,
  [oldest]: readonly { readonly sent_ms: number }[],
  nowMs: number,
): ServiceError {
  const waitMs = Number(oldest?.sent_ms ?? nowMs) + DAY_MS - nowMs
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: `${message}; try again later`,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
