import type { Component } from 'solid-js'
import type { NameKey } from '../../i18n/translate.ts'
import {
  type AnyPart,
  type BreakdownDraft,
  type Draft,
  type EventDraft,
  NO_BREAKDOWN,
  type SeriesDraft,
  TOTAL,
} from './draft.ts'
import { countedEvents } from './events.ts'

/** A tab of the builder: an insight type, or a subject of one, that people distinguish. */
export interface TabEntry {
  readonly name: NameKey
  readonly Icon: Component
  /** Whether a draft belongs to the tab. */
  readonly has: (draft: Draft) => boolean
  /** A new part with the events and breakdowns of another draft that fit. */
  readonly partFrom: (draft: Draft) => AnyPart
}

/** An event without its measure. */
export function eventOf({ kind, filters }: EventDraft): EventDraft {
  return { kind, filters }
}

/** The series of a draft; its events as series where it does not count them. */
export function seriesIn(draft: Draft): readonly SeriesDraft[] {
  return countedEvents(draft).map((event) =>
    'measure' in event ? event : { ...eventOf(event), measure: TOTAL },
  )
}

/** The breakdown of a draft; none where its type has none. */
export function breakdownIn(draft: Draft): BreakdownDraft {
  return 'breakdown' in draft ? draft.breakdown : NO_BREAKDOWN
}
