import { createMemo, createResource, createSignal, type Resource, untrack } from 'solid-js'
import { createStore, type SetStoreFunction } from 'solid-js/store'
import { currentPlace, navigate } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { Failure } from '../rpc/failure.ts'
import type { Draft, Granularity } from './draft.ts'
import { refuseEarly } from './early-refusal.ts'
import { defaultGranularity, findPeriodProblem, type Period } from './period.ts'
import { type Answered, ask, type Question, readQuestion, writeQuestion } from './question.ts'
import { encodeDraft } from './spec-json.ts'
import { readTilePlace, type TilePlace, writeTilePlace } from './tile-place.ts'
import { chooseView, type View, viewsOf } from './view.ts'

/** A question that is being written, and its answer: each change asks again. */
export interface Asking {
  /** The tile that the question is of; `undefined` for one that is nobody's yet. */
  readonly tile: TilePlace | undefined
  readonly draft: Draft
  readonly setDraft: SetStoreFunction<Draft>
  readonly question: () => Question
  /** Also chooses the buckets that are usual for the period. */
  readonly setPeriod: (period: Period) => void
  readonly setGranularity: (granularity: Granularity) => void
  readonly setCompare: (compare: Question['compare']) => void
  readonly view: () => View
  /** How the answer to a question is shown: while another one is asked, the old one stays what it is. */
  readonly viewOf: (draft: Draft) => View
  readonly setView: (view: View) => void
  readonly answer: Resource<Answered>
  readonly retry: () => void
  /** What is wrong with the field at a path of the request. */
  readonly problem: (path: string) => string | undefined
}

/** Begins with the question of the address, and keeps the address that of the question. */
export function createAsking(): Asking {
  const workspace = useWorkspace()
  const { query } = untrack(currentPlace)
  const begun = readQuestion(query)
  const tile = readTilePlace(query)
  const [draft, setDraft] = createStore<Draft>(structuredClone(begun.draft))
  const [period, setPeriod] = createSignal<Period>(begun.period)
  const [granularity, setGranularity] = createSignal(begun.granularity)
  const [compare, setCompare] = createSignal(begun.compare)
  const [viewName, setViewName] = createSignal<string | null>(query.get('view'))
  const viewOf = (asked: Draft): View => chooseView(viewsOf(asked), viewName())
  const view = (): View => viewOf(draft)
  const encode = (): string => JSON.stringify(encodeDraft(draft))
  const begunDraft = untrack(encode)
  const question = createMemo(
    (): Question => ({
      // Until something else is asked, the spec stays as it is, with what a draft has in other words.
      spec: encode() === begunDraft ? begun.spec : encode(),
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
    const asked = { ...writeQuestion(question()), view: view(), ...(tile && writeTilePlace(tile)) }
    navigate(`/p/${workspace().project.id}/insights?${new URLSearchParams(asked)}`, 'replace')
  }
  // The rules come with the first change: what the page begins with is asked at once.
  const begunQuestion = untrack(question)
  const [answer, { refetch }] = createResource(
    () => (periodProblem() === undefined ? question() : undefined),
    async (asked) => {
      untrack(replaceAddress)
      const { timeZone } = workspace()
      return await ask(asked, asked === begunQuestion ? { timeZone } : { timeZone, check: refuseEarly })
    },
  )
  const refusal = (path: string): string | undefined =>
    answer.error === undefined ? undefined : Failure.from(answer.error).violations.get(path)
  return {
    tile,
    draft,
    setDraft,
    question,
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
    problem: (path) => (path === 'timeRange' ? (periodProblem() ?? refusal(path)) : refusal(path)),
  }
}
