import { fromJson } from '@bufbuild/protobuf'
import { PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { isUuid } from '@domain/uuid.ts'
import { createMemo, createSignal, untrack } from 'solid-js'
import {
  type CohortFilterDraft,
  readCohortFilters,
  writeCohortFilters,
} from '../../cohorts/cohort-filters.ts'
import { hasUnreadable } from '../../context/route.ts'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { type InsightPeriod, parseInsightPeriod, writeInsightPeriod } from '../../insights/insight-period.ts'
import { encodeFilter, parseAllFilters, parseFilters, writeFilters } from '../../insights/model/filters.ts'
import { type FilterDraft, isComplete } from '../../picker/filter-draft.ts'
import type { LiveQuery } from './live-feed.ts'

/** The conditions of the list. All but the minute are in the address. */
export interface LiveState {
  /** Empty for all events. */
  readonly kind: string
  readonly filters: readonly FilterDraft[]
  /** Empty for all sessions. */
  readonly sessionId: string
  /** The minute that the list begins with; undefined for now. */
  readonly minuteMs: number | undefined
  /** The period that the events happened in; undefined for the newest ones by arrival. */
  readonly period: InsightPeriod | undefined
  /** Of the list and of the numbers above it. */
  readonly cohorts: readonly CohortFilterDraft[]
}

/** The conditions of the list, and how they change. */
export interface LiveView {
  readonly state: () => LiveState
  readonly change: (changed: Partial<LiveState>) => void
  readonly clear: () => void
  /** Whether there is a condition. */
  readonly isNarrowed: () => boolean
  /** The query of the complete filters; it changes only with its content. */
  readonly query: () => LiveQuery
}

const NO_CONDITIONS: LiveState = {
  kind: '',
  filters: [],
  sessionId: '',
  minuteMs: undefined,
  period: undefined,
  cohorts: [],
}

/** The view of the current address. */
export function createLiveView(): LiveView {
  const [state, setState] = createSignal(untrack(readState))
  const change = (changed: Partial<LiveState>): void => {
    const next = { ...state(), ...changed }
    setState(next)
    const { kind, filters, sessionId, period, cohorts } = next
    const range = period === undefined ? '' : writeInsightPeriod(period)
    const cohort = writeCohortFilters(cohorts)
    replaceParameters({ kind, filters: writeFilters(filters), session: sessionId, range, cohort })
  }
  const query = createMemo<LiveQuery>(() => queryOf(state()), queryOf(untrack(state)), {
    equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  return {
    state,
    change,
    clear: () => change(NO_CONDITIONS),
    isNarrowed: () => {
      const { kind, filters, sessionId, minuteMs, period, cohorts } = state()
      const isTimed = minuteMs !== undefined || period !== undefined
      return kind !== '' || sessionId !== '' || filters.length > 0 || cohorts.length > 0 || isTimed
    },
    query,
  }
}

const READERS = {
  filters: parseAllFilters,
  session: (text: string) => (isUuid(text) ? text : undefined),
  range: parseInsightPeriod,
}

/** Whether an address has a part that cannot be read. */
export function isBroken(query: URLSearchParams): boolean {
  return hasUnreadable(query, READERS)
}

function readState(): LiveState {
  const { query } = currentLocation()
  return {
    kind: query.get('kind') ?? '',
    filters: parseFilters(query.get('filters')),
    sessionId: READERS.session(query.get('session') ?? '') ?? '',
    minuteMs: undefined,
    period: READERS.range(query.get('range') ?? ''),
    cohorts: readCohortFilters(query.get('cohort')),
  }
}

function queryOf({ kind, filters, sessionId, minuteMs, period, cohorts }: LiveState): LiveQuery {
  const complete = filters.filter(isComplete)
  return {
    kind,
    filters: complete.map((draft) => fromJson(PropertyFilterSchema, encodeFilter(draft))),
    sessionId,
    minuteMs,
    period,
    cohorts,
  }
}
