import { fromJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { createMemo } from 'solid-js'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { encodeFilters, parseFilters, writeFilters } from '../../insights/model/filters.ts'
import type { FilterDraft } from '../../picker/filter-draft.ts'

/** The conditions that only a list of sessions has, beside those of the overview; all of them are in the address. */
export interface SessionConditions {
  /** The person whose sessions are listed, by the ID of their events; empty for everyone. */
  readonly personId: () => string
  /** Conditions on the properties of one event of the session. */
  readonly drafts: () => readonly FilterDraft[]
  /** The complete ones, as the service takes them. */
  readonly propertyFilters: () => PropertyFilter[]
  /** Whether a condition leaves out sessions. */
  readonly isNarrow: () => boolean
  readonly setDrafts: (drafts: readonly FilterDraft[]) => void
  readonly clearPerson: () => void
  readonly clear: () => void
}

/** The conditions of the current address. */
export function createSessionConditions(): SessionConditions {
  const personId = (): string => currentLocation().query.get('person') ?? ''
  const drafts = createMemo(() => parseFilters(currentLocation().query.get('filters')))
  const propertyFilters = (): PropertyFilter[] =>
    encodeFilters(drafts()).map((filter) => fromJson(PropertyFilterSchema, filter))
  return {
    personId,
    drafts,
    propertyFilters,
    isNarrow: () => personId() !== '' || propertyFilters().length > 0,
    setDrafts: (changed) => replaceParameters({ filters: writeFilters(changed) }),
    clearPerson: () => replaceParameters({ person: '' }),
    clear: () => replaceParameters({ person: '', filters: '' }),
  }
}

/** The address of the list of all sessions of a person. */
export function sessionsOfPersonHref(projectId: string, personId: string): string {
  return `/p/${projectId}/sessions?${new URLSearchParams({ person: personId, range: 'all-time' })}`
}
