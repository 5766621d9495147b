import { QueryClient } from '@tanstack/solid-query'
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
 * An answer as one value. A query keeps its answer in a store, which watches every property of plain objects and walks
 * through all of them at each change of the query's state; it leaves instances of classes alone.
 */
export class Whole<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}
