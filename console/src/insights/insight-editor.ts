import { useQuery, useQueryClient } from '@tanstack/solid-query'
import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js'
import type { RateFrom, View } from '../charts/chart.ts'
import { createFirstDate, type FirstDate } from '../context/first-date.ts'
import { currentLocation, navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import type { NameKey } from '../i18n/translate.ts'
import { Whole } from '../rpc/query-client.ts'
import {
  type Compare,
  chooseGranularity,
  fittingGranularities,
  type InsightPeriod,
} from './insight-period.ts'
import type { Draft, Granularity } from './model/draft.ts'
import { chooseView } from './model/views.ts'
import type { Now } from './period.ts'
import { checkQuery } from './precheck.ts'
import {
  type InsightQuery,
  readQuery,
  readSaved,
  readTile,
  type TileId,
  writeQuery,
  writeTile,
} from './query-address.ts'
import { readRecentInsights, withRecent, writeRecentInsights } from './recent-insights.ts'
import { type Answered, runQuery } from './run-query.ts'
import { decodeSpec, encodeDraft, parseSpec, titleOf, viewsOf } from './spec.ts'
import { findMissing } from './types/insight-types.ts'

/** A query runs this long after the last change, so that a series of changes is one query and one step of Back. */
const SETTLE_MS = 300

/** The state of an insight in the editor. */
export interface InsightState {
  readonly draft: Draft
  readonly period: InsightPeriod
  /** The chosen width of buckets; one that does not fit the period gives way. */
  readonly granularity: Granularity | undefined
  readonly compare: Compare
  readonly view: string | null
  /** The step that the rates of a funnel are shown from. */
  readonly rate: RateFrom
  readonly name: string
}

/** An insight that is being edited, and its answer. */
export interface InsightEditor {
  /** The tile whose query this is; `undefined` for a query that is not on a dashboard. */
  readonly tile: () => TileId | undefined
  /** The saved insight that is being edited. */
  readonly saved: () => string | undefined
  readonly state: () => InsightState
  readonly draft: () => Draft
  readonly now: () => Now
  readonly granularity: () => Granularity
  /** Changes a part: the query runs and the address follows shortly after. */
  readonly change: (part: Partial<InsightState>) => void
  readonly setDraft: (draft: Draft) => void
  readonly query: () => InsightQuery
  readonly view: () => View
  /** The view of an answer, which stays while the next query runs. */
  readonly viewOf: (draft: Draft) => View
  readonly title: () => string
  /** The reason why the query cannot run, as a message. */
  readonly missing: () => NameKey | undefined
  readonly answer: ShownAnswer
}

/** The answer that is shown, and the state of the running query. */
export interface ShownAnswer {
  readonly answered: () => Answered | undefined
  readonly isRunning: () => boolean
  readonly isStopped: () => boolean
  readonly failure: () => unknown
  readonly stop: () => void
  readonly run: () => void
}

/** The state of an address; a spec that is missing or cannot be read is that of a new insight. */
function readState(
  address: URLSearchParams,
  fresh: () => Draft,
): { readonly state: InsightState; readonly spec: string } {
  const { spec, ...query } = readQuery(address)
  const draft = spec === undefined ? fresh() : decodeSpec(parseSpec(spec))
  return { state: { ...query, draft }, spec: spec ?? JSON.stringify(encodeDraft(draft)) }
}

/** Edits the insight of the address. `fresh` is the draft of an address without one. */
export function createInsightEditor(fresh: () => Draft): InsightEditor {
  const workspace = useWorkspace()
  const opened = readState(untrack(currentLocation).query, fresh)
  const [state, setState] = createSignal(opened.state)
  // An unchanged draft keeps the spec as it was opened, with the fields that a draft writes differently.
  let kept = { draft: encode(opened.state.draft), spec: opened.spec }
  const first = createFirstDate(() => state().period === 'all-time')
  const now = (): Now => ({ nowMs: Date.now(), timeZone: workspace().timeZone, firstDate: first.date() })
  const granularity = createMemo(() => {
    const { period, draft } = state()
    return chooseGranularity(state().granularity, { period, type: draft.type }, now())
  })
  const missing = createMemo((): NameKey | undefined => {
    const isTooLong = fittingGranularities(state().period, now()).length === 0
    return isTooLong ? 'insights.tooLong' : findMissing(state().draft, granularity())
  })
  const query = createMemo(
    (): InsightQuery => {
      const { draft, period, compare } = state()
      const text = encode(draft)
      return { spec: text === kept.draft ? kept.spec : text, period, granularity: granularity(), compare }
    },
    undefined,
    { equals: isSame },
  )
  const [asked, setAsked] = createSignal(untrack(query), { equals: isSame })
  const [hasEdited, setEdited] = createSignal(false)
  const tile = createMemo(() => readTile(currentLocation().query))
  const saved = createMemo(() => readSaved(currentLocation().query))
  const view = (): View => chooseView(viewsOf(state().draft), state().view)
  const parameters = (): string => {
    const [{ name, rate }, id, savedId] = [state(), tile(), saved()]
    const shown = { view: view(), ...(rate !== 'previous' && { rate }) }
    const of = { ...(id && writeTile(id)), ...(savedId !== undefined && { saved: savedId }) }
    const named = { ...shown, ...(name && { name }), ...of }
    return new URLSearchParams({ ...writeQuery(query()), ...named }).toString()
  }
  const address = createAddress(parameters, (changed) => {
    settling.cancel()
    const next = readState(changed, fresh)
    kept = { draft: encode(next.state.draft), spec: next.spec }
    setState(next.state)
    setAsked(untrack(query))
  })
  const settling = createSettling(
    () => {
      if (!tile() && saved() === undefined) address.keep()
      address.push()
      if (missing() === undefined) setAsked(query())
    },
    () => {
      if (!tile() && saved() === undefined) address.keep()
    },
  )
  // All time may have other buckets once its length is known.
  createEffect(on(first.date, () => (hasEdited() ? settling.later() : setAsked(query())), { defer: true }))
  const change = (part: Partial<InsightState>): void => {
    setEdited(true)
    setState((before) => withPart(before, part))
    settling.later()
  }
  return {
    tile,
    saved,
    state,
    draft: () => state().draft,
    now,
    granularity,
    change,
    setDraft: (draft) => change({ draft }),
    query,
    view,
    viewOf: (draft) => chooseView(viewsOf(draft), state().view),
    title: () => state().name || titleOf(state().draft),
    missing,
    answer: createAnswer(asked, { first, isMissing: () => missing() !== undefined, hasEdited }),
  }
}

/** The state with a changed part; another period has the buckets that suit it. */
function withPart(state: InsightState, part: Partial<InsightState>): InsightState {
  return { ...state, ...(part.period && { granularity: undefined }), ...part }
}

/** Keeps the address in step with its parameters, and calls `read` when Back, Forward or a link changes it. */
function createAddress(
  parameters: () => string,
  read: (address: URLSearchParams) => void,
): { readonly push: () => void; readonly keep: () => void } {
  const { id } = untrack(useWorkspace()).project
  const path = `/p/${id}/insights`
  let written = untrack(parameters)
  untrack(() => navigate(`${path}?${written}`, 'replace'))
  createEffect(
    on(
      currentLocation,
      ({ path: current, query: address }) => {
        if (current !== path || address.toString() === written) return
        written = address.toString()
        read(address)
      },
      { defer: true },
    ),
  )
  return {
    push: () => {
      const next = parameters()
      if (next === written) return
      written = next
      navigate(`${path}?${next}`)
    },
    keep: () => {
      const added = { address: parameters(), changedMs: Date.now() }
      writeRecentInsights(id, withRecent(readRecentInsights(id), added, written))
    },
  }
}

function encode(draft: Draft): string {
  return JSON.stringify(encodeDraft(draft))
}

function isSame(a: InsightQuery, b: InsightQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Calls a function once changes have settled, and another when the page is left before. */
function createSettling(
  settled: () => void,
  left: () => void,
): { readonly later: () => void; readonly cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  onCleanup(() => {
    if (timer !== undefined) left()
    cancel()
  })
  return {
    cancel,
    later: () => {
      cancel()
      timer = setTimeout(() => {
        timer = undefined
        settled()
      }, SETTLE_MS)
    },
  }
}

function createAnswer(
  asked: () => InsightQuery,
  options: {
    readonly first: FirstDate
    readonly isMissing: () => boolean
    readonly hasEdited: () => boolean
  },
): ShownAnswer {
  const workspace = useWorkspace()
  const client = useQueryClient()
  const firstDate = (): string | undefined => options.first.date()
  const key = (): readonly unknown[] => [
    'insight',
    workspace().project.id,
    workspace().timeZone,
    asked(),
    asked().period === 'all-time' ? firstDate() : undefined,
  ]
  const [isStopped, setStopped] = createSignal(false)
  createEffect(on(asked, () => setStopped(false)))
  const query = useQuery(() => ({
    queryKey: key(),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Whole<Answered>> => {
      const { timeZone } = workspace()
      // The rules load with the first change: the query that the page opens with runs at once.
      const check = untrack(options.hasEdited) ? checkQuery : undefined
      return new Whole(
        await runQuery(untrack(asked), { timeZone, firstDate: untrack(firstDate), signal, check }),
      )
    },
    enabled: !options.isMissing() && !isStopped() && !options.first.isPending(),
    placeholderData: (before: Whole<Answered> | undefined) => before,
  }))
  return {
    // Reading `data` before the first answer would suspend the whole page.
    answered: () => (query.isSuccess ? query.data.answer : undefined),
    isRunning: () => query.isFetching,
    isStopped,
    failure: () => (query.isError && !query.isFetching ? query.error : undefined),
    stop: () => {
      setStopped(true)
      void client.cancelQueries({ queryKey: key() })
    },
    run: () => {
      setStopped(false)
      void query.refetch()
    },
  }
}
