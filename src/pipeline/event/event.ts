/** A typed property value; the tag is the variant of `common.v1.PropertyValue`. */
export type PropertyValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  /** Milliseconds since the Unix epoch. */
  | { readonly type: 'time'; readonly value: number }

/** One property of an event; the keys of auto properties start with `$`. */
export interface Property {
  readonly key: string
  readonly value: PropertyValue
}

/** An event that passed validation, ready to become a row. */
export interface Event {
  /** Lower-case UUID text. */
  readonly eventId: string
  readonly kind: string
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  readonly distinctId: string
  /** Lower-case UUID text. */
  readonly sessionId: string
  readonly cookieless: boolean
  readonly properties: readonly Property[]
}
