/** Values by name. Dates are times, objects and arrays travel as JSON; keys that start with `$` are auto properties. */
export type Properties = Readonly<Record<string, unknown>>

/** An event of a user. */
export interface TrackedEvent {
  /** Letters, digits, `_`, `.` and `-`, 200 at most; does not start with `service.`. */
  readonly kind: string
  /** Your id of the user, or the anonymous id (`anon-...`) of their browser. */
  readonly distinctId: string
  readonly properties?: Properties | undefined
  /** When it happened; now when left out. A number is milliseconds since 1970. */
  readonly time?: Date | number | undefined
  /** The UUID of the visit that the event belongs to. An event without one counts in no session. */
  readonly sessionId?: string | undefined
  /** A UUID. The same id with the same kind, user and time is counted once; a new id when left out. */
  readonly eventId?: string | undefined
}

/** A user and what you know of them. */
export interface IdentifiedUser {
  /** Your id of the user. */
  readonly externalId: string
  /** The traits to set; other traits stay. */
  readonly traits?: Properties | undefined
  /** The anonymous id (`anon-...`) whose earlier events become theirs. */
  readonly anonymousId?: string | undefined
}

/** Where events go, and how they travel. */
export interface Options {
  /** A key of the project. Private keys suit servers; public ones work as well. */
  readonly key: string
  /** The address of the service, such as `https://analytics.example.com`. */
  readonly url: string
  /** Events of one request, 1 to 1000; 500 when left out. */
  readonly batchEventsMax?: number | undefined
  /** How long events gather before they are sent together; 3000 when left out. */
  readonly flushIntervalMs?: number | undefined
  /** Events that may wait, and calls of `identify` that may wait; 10,000 of each when left out. */
  readonly queueEventsMax?: number | undefined
  /** Bytes of events that may wait, and of calls of `identify`; 32 MiB of each when left out. */
  readonly queueBytesMax?: number | undefined
  /** What a full queue drops: the new event, or the oldest that waits. `drop-newest` when left out. */
  readonly whenFull?: 'drop-newest' | 'drop-oldest' | undefined
  /** `gzip` when left out. */
  readonly compression?: 'gzip' | 'none' | undefined
  /** How long one request may take; 30,000 when left out. */
  readonly requestTimeoutMs?: number | undefined
  /** How long `flush` and `close` wait; 10,000 when left out. */
  readonly flushTimeoutMs?: number | undefined
  /** When to send what waits without being asked to; `['beforeExit']` when left out. */
  readonly flushOn?: readonly ('beforeExit' | 'SIGTERM')[] | undefined
  /** Called with every error. Without it, errors are warnings of the process. */
  readonly onError?: ((error: MillraceError) => void) | undefined
}

/** Why something was lost, or why it is sent again. */
export type ErrorReason =
  /** No answer, or an error of the service that passes. Nothing is lost, the request is sent again. */
  | 'unavailable'
  /** The service refuses the key. Nothing is lost, the request is sent again. */
  | 'unauthorized'
  /** The call had a value that the service would refuse; it was dropped. */
  | 'invalid'
  /** The service refused it; it was dropped. */
  | 'rejected'
  /** The queue was full. */
  | 'queue_full'
  /** It still waited when the time of `close` or of the process was up. */
  | 'unsent'

/** An error on the way to the service. */
export class MillraceError extends Error {
  readonly reason: ErrorReason
  /** Events and calls of `identify` that are lost by it; 0 when they are sent again. */
  readonly lost: number

  constructor(reason: ErrorReason, message: string, lost: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MillraceError'
    this.reason = reason
    this.lost = lost
  }
}

/** Counts since the start; each counts events and calls of `identify` together. */
export interface Stats {
  /** In the queue, or under way. */
  readonly waiting: number
  /** The service has them. */
  readonly sent: number
  /** Of those sent, the events that the project does not want, such as those of blocked kinds. */
  readonly unwanted: number
  /** Lost, by reason. */
  readonly dropped: Readonly<Record<'invalid' | 'rejected' | 'queue_full' | 'unsent', number>>
  /** Requests that failed and were sent again. */
  readonly retries: number
}

/** A connection to a project. No method throws, and no promise is rejected. */
export interface Millrace {
  /** Queues an event. `false` when it was dropped. */
  track(event: TrackedEvent): boolean
  /** Queues a profile. `false` when it was dropped. */
  identify(user: IdentifiedUser): boolean
  /**
   * Resolves with `true` once the queue of events has room, so that a producer can wait instead of losing events; with `false`
   * when the time is up before. Waits as long as it takes when no time is given.
   */
  waitForRoom(timeoutMs?: number): Promise<boolean>
  /** Sends what waits. Resolves with `true` once all of it left the queue, with `false` when the time is up before. */
  flush(timeoutMs?: number): Promise<boolean>
  /** Sends what waits and ends. Drops and reports what is left when the time is up; later calls are dropped. */
  close(timeoutMs?: number): Promise<boolean>
  stats(): Stats
}
