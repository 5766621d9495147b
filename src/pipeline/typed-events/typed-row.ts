import type { PropertyValue } from '../event.ts'

/** The properties of one event, as the check of typed events reads them. */
export interface TypedRow {
  /** The value of a property by its full key. */
  get(key: string): PropertyValue | undefined
}
