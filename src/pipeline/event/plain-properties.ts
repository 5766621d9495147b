import type { Event, Property, PropertyValue } from './event.ts'

/** The value of a property as JSON has it: a number that is whole and exact is an integer. */
export type PlainValue = string | number | bigint | boolean

/**
 * Valid properties of an event without an object for each: two lists of one length. Of a key that
 * is in them twice, the last value counts. Speed: `dialect/segment-15`.
 */
export class PlainProperties implements Iterable<Property> {
  readonly keys: readonly string[]
  readonly values: readonly PlainValue[]

  constructor(keys: readonly string[], values: readonly PlainValue[]) {
    this.keys = keys
    this.values = values
  }

  /** These and others. */
  with({ keys, values }: PlainProperties): PlainProperties {
    return new PlainProperties([...this.keys, ...keys], [...this.values, ...values])
  }

  /** The properties with the types of their values. */
  *[Symbol.iterator](): Iterator<Property> {
    for (const [index, key] of this.keys.entries()) {
      const value = this.values[index]
      if (value !== undefined) yield { key, value: typedValue(value) }
    }
  }
}

/** A validated event with plain values. */
export interface PlainEvent extends Omit<Event, 'properties'> {
  readonly properties: PlainProperties
}

/** Whether a number is stored as an integer. */
export function isPlainInt(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

function typedValue(value: PlainValue): PropertyValue {
  switch (typeof value) {
    case 'string':
      return { type: 'string', value }
    case 'boolean':
      return { type: 'bool', value }
    case 'bigint':
      return { type: 'int', value }
    default:
      return isPlainInt(value) ? { type: 'int', value: BigInt(value) } : { type: 'double', value }
  }
}
