import type { ProjectId } from '../../contract/ids.ts'
import { uuidV5 } from '../identity/derived-ids.ts'
import { isUnmergeable } from './merge-guards.ts'
import type { Identification } from './parse-identify.ts'

/** The project and receive time of a call. */
export interface IdentifyContext {
  readonly projectId: ProjectId
  /** Receive time in microseconds since the Unix epoch; each call on an edge has a different one. */
  readonly receivedMicros: number
}

/**
 * The row of `identifies` for a call, as a line of `FORMAT JSONEachRow`. A retried call makes the same row, and the tables
 * keep the earliest or latest value, so neither order nor repetition of rows matters.
 */
export function identifyRow(
  { externalId, anonymousId, deviceId, traits, traitsOnce, removedTraits, isImplied }: Identification,
  { projectId, receivedMicros }: IdentifyContext,
): string {
  const row = {
    project: projectId,
    external_id: externalId,
    profile_id: profileIdOf(projectId, externalId),
    anonymous_id: isUnmergeable(externalId) ? '' : anonymousId,
    device_id: deviceId,
    traits: Object.fromEntries(traits),
    traits_once: Object.fromEntries(traitsOnce),
    removed_traits: removedTraits,
    ...(isImplied ? { implied: 1 } : {}),
    received: receivedMicros,
  }
  return `${JSON.stringify(row)}\n`
}

/** The profile id of an external id: derived, so that every edge computes the same one. */
export function profileIdOf(projectId: ProjectId, externalId: string): string {
  return uuidV5(`profile/${projectId}/${externalId}`)
}
