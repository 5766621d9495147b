import type { PROPERTY_TYPES } from '../../contract/property-types.ts'

/** The JSON of each variant that an import makes: instants stay text, which is how sources have them. */
interface WireValues {
  readonly string: string
  /** Digits: JSON numbers are not exact beyond 2^53. */
  readonly int: string
  readonly double: number
  readonly bool: boolean
}

/** A `common.v1.PropertyValue` in proto JSON. */
export type WireValue = {
  [Type in keyof WireValues]: {
    readonly [Field in (typeof PROPERTY_TYPES)[Type]['jsonField']]: WireValues[Type]
  }
}[keyof WireValues]

/** An event in the proto JSON of `sdk.events.v1.Event`. */
export interface WireEvent {
  readonly eventId: string
  readonly kind: string
  readonly occurTime: string
  readonly distinctId: string
  readonly sessionId: string
  readonly autoProperties: Readonly<Record<string, WireValue>>
  readonly customProperties: Readonly<Record<string, WireValue>>
}

/** A message of `ProfilesSDKService.Identify` in proto JSON. */
export interface WireIdentify {
  readonly externalId: string
  readonly anonymousId?: string
  /** The same as `anonymousId`, in any form. */
  readonly previousId?: string
  readonly traits?: Readonly<Record<string, unknown>>
  readonly traitsOnce?: Readonly<Record<string, unknown>>
  readonly removedTraits?: readonly string[]
}

/** The result of converting one record of a source. */
export interface Imported {
  /** JSON text of an event; undefined when the record only identifies a user. */
  readonly event: string | undefined
  readonly identify: WireIdentify | undefined
  /** Number of properties that exceed a limit and were dropped. */
  readonly propertiesDropped: number
}

/** A record is rejected. The message is the reason, which the operator sees and which is counted. */
export class RejectedRecord extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RejectedRecord'
  }
}
