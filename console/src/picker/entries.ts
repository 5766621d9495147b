import './messages.ts'
import type { NameKey } from '../i18n/translate.ts'
import type { FilterDraft, PropertyRef, Source } from './filter-draft.ts'
import type { ValueType } from './value-types.ts'

/** The kinds of entries of the picker. */
export type EntryKind = 'event' | 'goal' | 'property' | 'person' | 'page' | 'visitStart' | 'firstTouch'

/** The entries of one kind, or across kinds. */
export type Category = 'all' | 'recent' | EntryKind

/** The names of the categories. */
export const CATEGORY_NAMES = {
  all: 'picker.all',
  recent: 'picker.recent',
  event: 'picker.events',
  goal: 'picker.goals',
  property: 'picker.eventProperties',
  person: 'picker.personProperties',
  page: 'picker.pageAndVisit',
  visitStart: 'picker.visitStart',
  firstTouch: 'picker.firstTouch',
} as const satisfies Record<Category, NameKey>

/** The fields of entries of every kind. */
interface EntryBase {
  /** Unique within its kind. */
  readonly id: string
  /** The name that is shown. */
  readonly label: string
  /** The name as it was sent, where the shown one differs. */
  readonly sentName?: string
  readonly description?: string
  /** The number of its events in the last 30 days, otherwise of all time. */
  readonly count?: number
  readonly firstSeenMs?: number
  readonly lastSeenMs?: number
}

/** An event, or a goal that an event fulfils. */
export interface EventEntry extends EntryBase {
  readonly kind: 'event' | 'goal'
  /** The event's name; empty for all events. */
  readonly event: string
  /** The conditions of a goal. */
  readonly filters: readonly FilterDraft[]
}

/** A property of events, persons, page and visit, or of the event that started a visit or that a person sent first. */
export interface PropertyEntry extends EntryBase, PropertyRef {
  readonly kind: Exclude<EntryKind, 'event' | 'goal'>
  readonly valueType: ValueType
}

/** An entry of the picker. */
export type Entry = EventEntry | PropertyEntry

/** The kind of the properties of a source. */
export const KIND_OF_SOURCE = {
  PROPERTY_SOURCE_AUTO: 'page',
  PROPERTY_SOURCE_CUSTOM: 'property',
  PROPERTY_SOURCE_PROFILE: 'person',
  PROPERTY_SOURCE_SESSION_ENTRY: 'visitStart',
  PROPERTY_SOURCE_FIRST_TOUCH: 'firstTouch',
} as const satisfies Record<Source, PropertyEntry['kind']>

/** The key of an entry among all of a project. */
export function keyOfEntry({ kind, id }: Entry): string {
  return `${kind}:${id}`
}

/** Whether an entry is a property. */
export function isProperty(entry: Entry): entry is PropertyEntry {
  return entry.kind !== 'event' && entry.kind !== 'goal'
}
