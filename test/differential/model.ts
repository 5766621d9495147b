import type { JsonValue } from '@bufbuild/protobuf'
import type { CohortDefinition } from '../../src/contract/gen/millrace/cohorts/v1/cohort_pb.js'

/** A property value as it was sent; an instant counts in Unix milliseconds. */
export type TypedValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'timestamp'; readonly value: number }

/** One stored event: no two of a world have the same id, kind, distinct id and time. */
export interface ReferenceEvent {
  readonly eventId: string
  readonly kind: string
  readonly occurMs: number
  readonly distinctId: string
  readonly sessionId: string
  readonly cookieless: boolean
  /** Auto (`$`) and custom properties, by the first letter. */
  readonly properties: ReadonlyMap<string, TypedValue>
}

/** The session id of events that belong to no session. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** Whether an event belongs to a session. */
export function hasSession({ sessionId }: ReferenceEvent): boolean {
  return sessionId !== NO_SESSION
}

/** An identified user after all merges. */
export interface Profile {
  readonly profileId: string
  readonly externalId: string
  /** Anonymous ids that this user has claimed; no other profile has them. */
  readonly anonymousIds: readonly string[]
  /** Current traits, null ones included. */
  readonly traits: ReadonlyMap<string, JsonValue>
}

/** Everyone who was ever identified. */
export interface People {
  readonly profiles: readonly Profile[]
}

/** A cohort: the users that meet a definition, or those of a list of ids. */
export interface ReferenceCohort {
  readonly id: string
  readonly definition?: CohortDefinition
  readonly ids?: readonly string[]
}

/** All data of a project. */
export interface ReferenceWorld {
  readonly events: readonly ReferenceEvent[]
  readonly people: People
  /** Reporting time zone of the project; empty means UTC. */
  readonly timeZone: string
  readonly cohorts?: readonly ReferenceCohort[]
  /** The instant of all questions; it only matters to cohorts. */
  readonly nowMs?: number
}

/** Half-open range of Unix milliseconds. */
export interface MsRange {
  readonly fromMs: number
  readonly toMs: number
}
