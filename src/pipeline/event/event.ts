import type { PropertyValue } from '../../contract/property-types.ts'

export type { PropertyValue } from '../../contract/property-types.ts'

/** One property of an event; the keys of auto properties start with `$`. */
export interface Property {
  readonly key: string
  readonly value: PropertyValue
}

/** A validated event. */
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
