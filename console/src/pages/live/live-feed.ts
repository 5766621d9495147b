import type { PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import {
  ActivityService,
  EventOrder,
  type GetEventExplorerResponse,
} from '@contract/shared/activity/v1/activity_service_pb.js'
import { batch, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import type { InsightPeriod } from '../../insights/insight-period.ts'
import { type Now, toTimeRange } from '../../insights/period.ts'
import type { NamedPerson } from '../../people/person-name.ts'
import { clientOf } from '../../rpc/client.ts'
import { Failure } from '../../rpc/failure.ts'
import { type EventWindow, windowOf } from './event-window.ts'
import {
  arrivalOf,
  countNew,
  EVENTS_MAX,
  type EventUsers,
  keyOf,
  mergeEvents,
  personOf,
  rememberUsers,
} from './live-model.ts'

const activityClient = clientOf(ActivityService)

const POLL_MS = 2500

/** Each answer about cohorts counts their people anew. */
const COHORT_POLL_MS = 15_000

/** Events of one answer. */
const PAGE_SIZE = 100

/** The events to show. */
export interface LiveQuery {
  /** Empty for all events. */
  readonly kind: string
  readonly filters: readonly PropertyFilter[]
  /** Empty for all sessions. */
  readonly sessionId: string
  /** The last minute of the list; undefined for now. */
  readonly minuteMs: number | undefined
  /** The period that the events happened in; undefined for the newest ones by arrival. */
  readonly period: InsightPeriod | undefined
  /** All must hold; empty for everyone. */
  readonly cohorts: readonly CohortFilterDraft[]
}

/** A list of events that follows the project. */
export interface LiveFeed {
  /** The events to show; undefined before the first answer. */
  readonly events: () => readonly ActivityEvent[] | undefined
  /** The person of an event, by its distinct id. */
  readonly personOf: (distinctId: string) => NamedPerson
  /** The number of events that have arrived and are held back. */
  readonly newCount: () => number
  readonly failure: () => Failure | undefined
  /** Whether older events can be added. */
  readonly hasOlder: () => boolean
  readonly showOlder: () => Promise<void>
  /** Shows the events that are held back. */
  readonly release: () => void
  /** Reads the events again, now. */
  readonly retry: () => void
}

async function readEvents(
  query: LiveQuery,
  { range, isByArrival }: EventWindow,
): Promise<GetEventExplorerResponse> {
  const { kind, filters, sessionId, cohorts } = query
  return await activityClient.getEventExplorer({
    pageSize: PAGE_SIZE,
    order: isByArrival ? EventOrder.ARRIVAL : EventOrder.UNSPECIFIED,
    ...(range && (isByArrival ? { arrivalRange: toTimeRange(range) } : { timeRange: toTimeRange(range) })),
    events: kind === '' ? [] : [{ kind }],
    propertyFilters: [...filters],
    sessionId,
    cohorts: [...cohorts],
    withUsers: true,
  })
}

interface Reader extends Pick<LiveFeed, 'personOf'> {
  /** Reads events; undefined when the answer comes too late. */
  readonly read: (
    query: LiveQuery,
    window: EventWindow,
    isCurrent: () => boolean,
  ) => Promise<readonly ActivityEvent[] | undefined>
}

/** Reads events, and remembers their people. */
function createReader(): Reader {
  const [users, setUsers] = createSignal<EventUsers>(new Map())
  return {
    read: async (query, window, isCurrent) => {
      const answer = await readEvents(query, window)
      if (!isCurrent()) return undefined
      setUsers((known) => rememberUsers(known, answer.users))
      return answer.events
    },
    personOf: (distinctId) => personOf(users(), distinctId),
  }
}

interface FeedContext {
  readonly query: () => LiveQuery
  /** Whether the shown events stay, and new ones are only counted. */
  readonly isHeld: () => boolean
  readonly now: () => Now
}

/** Polls while the page is visible. */
export function createLiveFeed({ query, isHeld, now }: FeedContext): LiveFeed {
  const [latest, setLatest] = createSignal<readonly ActivityEvent[]>()
  const [held, setHeld] = createSignal<readonly ActivityEvent[]>()
  const [failure, setFailure] = createSignal<Failure>()
  const [isEnd, setEnd] = createSignal(false)
  const [asked, setAsked] = createSignal<LiveQuery>()
  const reader = createReader()
  // The answer to an earlier query is not one to this.
  const events = createMemo(() => (asked() === query() ? (held() ?? latest()) : undefined))
  const poll = async ({ isCurrent, cause }: Round): Promise<void> => {
    if (document.hidden && latest() !== undefined) return
    try {
      const window = windowOf(query(), now())
      // Late events still arrive in a period that is over: it is read again when the reader returns.
      const isKnown = latest() !== undefined && failure() === undefined
      if (window.isOver && isKnown && cause === 'time') return
      const fresh = await reader.read(query(), window, isCurrent)
      if (!fresh) return
      if (latest() === undefined) setEnd(fresh.length < PAGE_SIZE)
      setLatest((known) => mergeEvents(known ?? [], fresh))
      // The first answer of a list that is held already.
      if (isHeld() && held() === undefined) setHeld(latest())
      setFailure(undefined)
    } catch (thrown) {
      if (isCurrent()) setFailure(Failure.from(thrown))
    }
  }
  const repeat = createRepeated(poll, () => (query().cohorts.length > 0 ? COHORT_POLL_MS : POLL_MS))
  createEffect(on(isHeld, (isNow) => setHeld(isNow ? latest() : undefined), { defer: true }))
  createEffect(
    on(query, (next) => {
      batch(() => {
        setAsked(next)
        setHeld(undefined)
        setLatest(undefined)
      })
      repeat()
    }),
  )
  const showOlder = async (): Promise<void> => {
    const last = events()?.at(-1)
    if (!last) return
    try {
      const asked = query()
      const window = windowOf(asked, now(), arrivalOf(last) + 1)
      const older = await reader.read(asked, window, () => asked === query())
      if (!older) return
      const append = (known: readonly ActivityEvent[] | undefined) => appendOlder(known ?? [], older)
      setEnd(older.length < PAGE_SIZE || append(events()).length === events()?.length)
      if (held()) setHeld(append)
      setLatest(append)
    } catch (thrown) {
      setFailure(Failure.from(thrown))
    }
  }
  return {
    events,
    personOf: reader.personOf,
    newCount: () => countNew(latest() ?? [], events() ?? []),
    failure,
    hasOlder: () => !isEnd() && (events()?.length ?? 0) < EVENTS_MAX,
    showOlder,
    release: () => setHeld(isHeld() ? latest() : undefined),
    retry: repeat,
  }
}

/** The list with older events at its end. */
function appendOlder(
  known: readonly ActivityEvent[],
  older: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const keys = new Set(known.map(keyOf))
  return [...known, ...older.filter((event) => !keys.has(keyOf(event)))].slice(0, EVENTS_MAX)
}

/** A call of a function that is repeated. */
interface Round {
  /** Whether no later round has begun. */
  readonly isCurrent: () => boolean
  /** The passing of time, or the reader: another query, a retry, the return to the window. */
  readonly cause: 'time' | 'reader'
}

/** Calls a function now, again and again, and when the window regains focus; a new round ends the one before. */
function createRepeated(poll: (round: Round) => Promise<void>, pauseMs: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  let isRunning = false
  const run = async (mine: number, cause: Round['cause']): Promise<void> => {
    isRunning = true
    await poll({ isCurrent: () => mine === round, cause })
    if (mine !== round) return
    isRunning = false
    timer = setTimeout(() => void run(mine, 'time'), pauseMs())
  }
  const end = (): void => {
    clearTimeout(timer)
    round++
  }
  const begin = (): void => {
    end()
    void run(round, 'reader')
  }
  // The answer on its way is new enough; ending it at each focus could keep all of them from arriving.
  const follow = (): void => {
    if (!isRunning) begin()
  }
  addEventListener('focus', follow)
  onCleanup(() => {
    removeEventListener('focus', follow)
    end()
  })
  return begin
}
