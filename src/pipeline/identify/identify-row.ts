import type { ProjectId } from '../../contract/ids.ts'
import { uuidV5 } from '../identity/derived-ids.ts'
import { isUnmergeable } from './merge-guards.ts'
import type { Identification } from './parse-identify.ts'

/** When and for whom a call came in. */
export interface IdentifyContext {
  readonly projectId: ProjectId
  /** Receive time in microseconds since the Unix epoch; the calls of an edge have times of their own. */
  readonly receivedMicros: number
}

/**
 * The row of `identifies` that a call becomes, as a line of `FORMAT JSONEachRow`. The same call at the same time is the
 * same row, and tables keep what is earliest or latest: neither order nor repetition of rows matters.
 */
export function identifyRow(
  { externalId, anonymousId, deviceId, traits }: Identification,
  { projectId, receivedMicros }: IdentifyContext,
): string {
  const row = {
    project: projectId,
    external_id: externalId,
    profile_id: profileIdOf(projectId, externalId),
    anonymous_id: isUnmergeable(externalId) ? '' : anonymousId,
    device_id: deviceId,
    traits: Object.fromEntries(traits),
    received: receivedMicros,
  }
  return `${JSON.stringify(row)}\n`
}

/** The profile id of an external id: the same on every edge, without asking. */
export function profileIdOf(projectId: ProjectId, externalId: string): string {
  return uuidV5(`profile/${projectId}/${externalId}`)
}
