import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  ComplianceRequestStatus,
  type DeleteDataSubjectResponseSchema,
  type GetDeletionRequestResponseSchema,
} from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { stringCodec, uint64Codec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { userHash } from '../users/user-sql.ts'
import type { DataSubject, DeletionRequests, DeletionStatus } from './erasure/deletion-requests.ts'
import { profileNotFound } from './profiles.ts'

/** Dependencies of erasure requests. */
export interface ErasurePorts {
  readonly deletions: DeletionRequests
  /** Hides a user immediately and durably. */
  readonly hide: (person: { readonly projectId: ProjectId; readonly user: bigint }) => Promise<void>
  /** Polls for jobs immediately. */
  readonly wakeJobs: () => void
}

const STATUSES = {
  pending: ComplianceRequestStatus.PENDING,
  processing: ComplianceRequestStatus.PROCESSING,
  completed: ComplianceRequestStatus.COMPLETED,
  failed: ComplianceRequestStatus.FAILED,
} as const satisfies Record<DeletionStatus, ComplianceRequestStatus>

/** Starts erasing a user, or returns the erasure already in progress. Throws `not_found` for an unknown user. */
export async function deleteDataSubject(
  subject: DataSubject,
  { deletions, hide, wakeJobs }: ErasurePorts,
  run: QueryRunner,
): Promise<MessageInitShape<typeof DeleteDataSubjectResponseSchema>> {
  const running = await deletions.findRunning(subject)
  if (running) return { requestId: running.id, status: STATUSES[running.status] }
  const known = await findSubject(subject, run)
  if (!known) throw profileNotFound()
  const { id, status } = await deletions.create({ ...subject, profileId: known.profileId })
  wakeJobs()
  // The job hides the user as well; hiding here makes the effect visible to the next query.
  await hide({ projectId: subject.projectId, user: known.user })
  return { requestId: id, status: STATUSES[status] }
}

/** Progress of an erasure. Also throws `not_found` for an id of another project. */
export async function getDeletionRequest(
  of: { readonly projectId: ProjectId; readonly id: string },
  { deletions }: ErasurePorts,
): Promise<MessageInitShape<typeof GetDeletionRequestResponseSchema>> {
  const request = await deletions.find(of)
  if (!request) {
    throw new ServiceError({
      code: 'not_found',
      reason: 'DELETION_REQUEST_NOT_FOUND',
      message: 'there is no such deletion request',
    })
  }
  const { id, externalId, profileId, status, eventsIdentified, requestedMs, completedMs, error } = request
  return {
    requestId: id,
    externalId,
    profileId,
    status: STATUSES[status],
    eventsIdentified: BigInt(eventsIdentified),
    requestedAt: timestampFromMs(requestedMs),
    ...(completedMs === undefined ? {} : { completedAt: timestampFromMs(completedMs) }),
    error,
  }
}

interface KnownSubject {
  readonly user: bigint
  /** Empty without a profile. */
  readonly profileId: string
}

/**
 * A user is known by a profile, including hidden ones, by a claim, or by events whose distinct id is the external id;
 * an id that is an alias of another user is not an external id.
 */
async function findSubject(
  { projectId, externalId }: DataSubject,
  run: QueryRunner,
): Promise<KnownSubject | undefined> {
  const text = param(stringCodec, externalId)
  const hash = userHash({ projectId, distinctId: externalId })
  const named = sql`user_hash = ${hash} AND external_id = ${text}`
  const profile = sql`SELECT 0 AS preference, toString(profile_id) AS profile ${scopedTable('profiles', projectId)} AND ${named} LIMIT 1`
  const claim = sql`SELECT 1 AS preference, '' AS profile ${scopedTable('identity_claims', projectId)} AND ${named} LIMIT 1`
  const events = sql`SELECT 2 AS preference, '' AS profile ${scopedTable('users', projectId)} AND user_hash = ${hash} AND distinct_id = ${text} AND user_hash NOT IN (SELECT id_hash ${scopedTable('identity_claims', projectId)}) AND user_hash NOT IN (SELECT sipHash64(project, toString(profile_id)) ${scopedTable('profiles', projectId)}) LIMIT 1`
  const [found] = await run(
    select(
      { user: column(uint64Codec, hash), profileId: column(stringCodec, sql`profile`) },
      sql`FROM (${profile} UNION ALL ${claim} UNION ALL ${events}) ORDER BY preference LIMIT 1`,
    ),
  )
  return found
}
