import { createMemo, createResource, createSignal, type Resource, untrack } from 'solid-js'
import { createStore, type SetStoreFunction } from 'solid-js/store'
import type { View } from '../charts/chart.ts'
import { currentLocation, navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { Failure } from '../rpc/failure.ts'
import type { Draft, Granularity } from './model/draft.ts'
import { chooseView } from './model/views.ts'
import { defaultGranularity, findPeriodProblem, type Period } from './period.ts'
import { checkQuery } from './precheck.ts'
import {
  type InsightQuery,
  readQuery,
  readTile,
  type TileId,
  writeQuery,
  writeTile,
} from './query-address.ts'
import { type Answered, runQuery } from './run-query.ts'
import { encodeDraft, viewsOf } from './spec.ts'

/** A query that is being edited, and its answer: each change runs the query again. */
export interface QueryEditor {
  /** The tile whose query this is; `undefined` for a query that is not on a dashboard. */
  readonly tile: TileId | undefined
  readonly draft: Draft
  readonly setDraft: SetStoreFunction<Draft>
  readonly query: () => InsightQuery
  /** Also sets the default granularity of the period. */
  readonly setPeriod: (period: Period) => void
  readonly setGranularity: (granularity: Granularity) => void
  readonly setCompare: (compare: InsightQuery['compare']) => void
  readonly view: () => View
  /** The view of an answer, which stays while the next query runs. */
  readonly viewOf: (draft: Draft) => View
  readonly setView: (view: View) => void
  readonly answer: Resource<Answered>
  readonly retry: () => void
  /** The problem of the field at a path of the request. */
  readonly problem: (path: string) => string | undefined
}

/** Starts with the query of the address, and keeps the address in step with the query. */
export function createQueryEditor(): QueryEditor {
  const workspace = useWorkspace()
  const { query: address } = untrack(currentLocation)
  const { excludeBots } = untrack(workspace).project
  const opened = readQuery(address, { excludeBots })
  const tile = readTile(address)
  const [draft, setDraft] = createStore<Draft>(structuredClone(opened.draft))
  const [period, setPeriod] = createSignal<Period>(opened.period)
  const [granularity, setGranularity] = createSignal(opened.granularity)
  const [compare, setCompare] = createSignal(opened.compare)
  const [viewName, setViewName] = createSignal<string | null>(address.get('view'))
  const viewOf = (answered: Draft): View => chooseView(viewsOf(answered), viewName())
  const view = (): View => viewOf(draft)
  const encode = (): string => JSON.stringify(encodeDraft(draft))
  const openedDraft = untrack(encode)
  const query = createMemo(
    (): InsightQuery => ({
      // An unchanged draft keeps the spec as it was opened, with the fields that a draft writes differently.
      spec: encode() === openedDraft ? opened.spec : encode(),
      period: period(),
      granularity: granularity(),
      compare: compare(),
    }),
    undefined,
    { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  )
  const periodProblem = (): string | undefined =>
    findPeriodProblem(period(), { granularity: granularity(), timeZone: workspace().timeZone })
  const replaceAddress = (): void => {
    const parameters = { ...writeQuery(query()), view: view(), ...(tile && writeTile(tile)) }
    navigate(`/p/${workspace().project.id}/insights?${new URLSearchParams(parameters)}`, 'replace')
  }
  // The rules load with the first change: the query that the page opens with runs at once.
  const openedQuery = untrack(query)
  const [answer, { refetch }] = createResource(
    () => (periodProblem() === undefined ? query() : undefined),
    async (asked) => {
      untrack(replaceAddress)
      const { timeZone } = workspace()
      return await runQuery(asked, asked === openedQuery ? { timeZone } : { timeZone, check: checkQuery })
    },
  )
  const violation = (path: string): string | undefined =>
    answer.error === undefined ? undefined : Failure.from(answer.error).violations.get(path)
  return {
    tile,
    draft,
    setDraft,
    query,
    setPeriod: (chosen) => {
      setPeriod(chosen)
      setGranularity(defaultGranularity(chosen))
    },
    setGranularity,
    setCompare,
    view,
    viewOf,
    setView: (chosen) => {
      setViewName(chosen)
      replaceAddress()
    },
    answer,
    retry: () => void refetch(),
    problem: (path) => (path === 'timeRange' ? (periodProblem() ?? violation(path)) : violation(path)),
  }
}
