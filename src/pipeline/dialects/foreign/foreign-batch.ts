import type { PlainEvent } from '../../event/plain-properties.ts'

/** The reason why an event of another product's SDK is dropped. */
export type ForeignDropReason =
  | 'not_an_object'
  | 'no_name'
  | 'no_distinct_id'
  | 'invalid_distinct_id'
  | 'other_key'
  | 'no_visitor'
  | 'schema_violation'
  | 'groups_not_supported'
  | 'recordings_not_supported'
  | 'engagement_not_supported'
  | 'unknown_type'

/** What was changed of an event that is kept. */
export type ForeignChange =
  | 'text_cut'
  | 'characters_replaced'
  | 'property_left_out'
  | 'time_replaced'
  | 'clock_skewed'
  | 'trait_left_out'
  | 'operation_not_supported'

/** The client of an event, for enrichment. Requests of servers say nothing about the user, except what an event itself names. */
export interface ForeignClient {
  /** Where the user is: at the address of the request, or at the one that the event names. */
  readonly place: 'request' | { readonly address: string | undefined }
  readonly agent: 'request' | { readonly userAgent: string | undefined }
}

/** What an event says about a person. */
export interface ForeignIdentification {
  /** Whether the event only has both ids, as every event of a signed-in user may have; it then changes no traits. */
  readonly isImplied?: boolean
  readonly externalId: string
  /** An id whose events belong to the person too; empty without one. */
  readonly anonymousId: string
  /** Values as JSON text, by trait. */
  readonly traits: ReadonlyMap<string, string>
  /** The same of traits that are set only where nothing has set or removed them. */
  readonly traitsOnce: ReadonlyMap<string, string>
  readonly removedTraits: readonly string[]
}

/** An item of a request: an event, or the reason why it is none. */
export interface ForeignItem {
  /** The id that the vendor's answer names it by. */
  readonly id: string | undefined
  readonly dropped?: ForeignDropReason | undefined
  readonly event?: PlainEvent | undefined
  readonly client?: ForeignClient | undefined
  /** The device whose session is derived, for an event of a browser or an app that has none. */
  readonly device?: string | undefined
  readonly identification?: ForeignIdentification | undefined
  /** `property_left_out` once for each property. */
  readonly changes?: readonly ForeignChange[] | undefined
}

/** The readable content of a request. */
export interface ForeignBatch {
  /** The key that the body as a whole has; `undefined` without one. */
  readonly key: string | undefined
  readonly items: readonly ForeignItem[]
  /** What each item was made of, in the same order; absent for what is never shown. */
  readonly records?: readonly unknown[]
  /** Whether the request only asks what would become of its events. */
  readonly isCheckOnly?: boolean
}

/** What a worker must know of a request beside its bytes. Plain data. */
export interface ForeignRequest {
  readonly dialect:
    | 'posthog'
    | 'segment'
    | 'mixpanel'
    | 'amplitude'
    | 'plausible'
    | 'umami'
    | 'openpanel'
    | 'ga4'
  /** The form of the request, by its path; each dialect has its own. */
  readonly form: string
  /** The key that admitted the request. */
  readonly key: string
  /** Receive time in microseconds since the Unix epoch; each request on an edge has a different one. */
  readonly receivedMicros: number
  /** Whether the answer lists what became of each event. */
  readonly listsResults: boolean
  /** Absent where the body names the library, and the client is that of the request or of an event. */
  readonly sender?: ForeignSender
}

/** What the headers of a request tell of its sender, for vendors whose bodies do not. Texts are empty when they are unknown. */
export interface ForeignSender {
  readonly library: string
  readonly libraryVersion: string
  /** The origin of the page. */
  readonly origin: string
  /** Whether it is a browser or an app of one user. */
  readonly isOnDevice: boolean
  readonly client: ForeignClient
}

/** What became of one item, for answers that list them. */
export interface ForeignResult {
  readonly id: string
  /** The reason; a later step may drop an event too. */
  dropped: string | undefined
  readonly changes: readonly ForeignChange[]
}
