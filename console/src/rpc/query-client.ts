import { QueryClient, type UseQueryResult } from '@tanstack/solid-query'
import { Failure } from './failure.ts'

/** An answer is fresh for this time: a page that is opened again fetches it anew only afterwards. */
const FRESH_MS = 20_000

/** Answers that no page shows are dropped after this time. */
const KEPT_MS = 300_000

const RETRIES_MAX = 1

/** The answers of the service that pages share; it ends with the session. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      refetchOnWindowFocus: false,
      // Pages show the error; a boundary would take the whole page with it.
      throwOnError: false,
      retry: (failures, error) => failures < RETRIES_MAX && !Failure.from(error).isFinal,
    },
  },
})

/**
 * The answer of a query; `undefined` before the first, when reading `data` would suspend the whole page. An answer whose renewal
 * fails stays, so that a form which was made from it keeps what its user typed.
 */
export function answerOf<Answer>(query: UseQueryResult<Answer>): Answer | undefined {
  return query.isSuccess || query.isRefetchError ? query.data : undefined
}

/**
 * An answer as one value. A query keeps its answer in a store, which watches every property of plain objects and walks
 * through all of them at each change of the query's state; it leaves instances of classes alone.
 */
export class Whole<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}
