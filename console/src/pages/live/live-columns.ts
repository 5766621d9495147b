import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'

/** More would leave no place for the page of an event. */
export const COLUMNS_MAX = 4

/** Longer names would not fit a cookie. */
const NAME_MAX = 100

/** Properties that are offered. */
const OFFERED_MAX = 100

/** The key of a column: a property of the event after a dot, or one of page and visit. */
function refOfColumn(key: string): PropertyRef {
  return key.startsWith('.')
    ? { property: key.slice(1), source: 'PROPERTY_SOURCE_CUSTOM' }
    : { property: key, source: 'PROPERTY_SOURCE_AUTO' }
}

/** The title of a column. */
export function titleOfColumn(key: string): string {
  return labelOfProperty(refOfColumn(key))
}

/** The value of an event in a column; empty where it has none. */
export function valueInColumn({ autoProperties, customProperties }: ActivityEvent, key: string): string {
  const { property, source } = refOfColumn(key)
  const value = (source === 'PROPERTY_SOURCE_CUSTOM' ? customProperties : autoProperties)?.[property]
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The columns that some events have a value for, by their titles. */
export function columnsOf(events: readonly ActivityEvent[]): readonly string[] {
  const keys = new Set(
    events.flatMap(({ autoProperties, customProperties }) => [
      ...Object.keys(autoProperties ?? {}),
      ...Object.keys(customProperties ?? {}).map((name) => `.${name}`),
    ]),
  )
  return [...keys]
    .filter((key) => key.length <= NAME_MAX)
    .toSorted((one, other) => titleOfColumn(one).localeCompare(titleOfColumn(other)))
    .slice(0, OFFERED_MAX)
}

/** Parses chosen columns; none for any other text. */
export function readColumns(text: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(decodeURIComponent(text))
    if (!Array.isArray(keys)) return []
    return keys.filter((key) => typeof key === 'string' && key !== '').slice(0, COLUMNS_MAX)
  } catch {
    return []
  }
}

/** Columns as one word. */
export function writeColumns(keys: readonly string[]): string {
  return encodeURIComponent(JSON.stringify(keys))
}
