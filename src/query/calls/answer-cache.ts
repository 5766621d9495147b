import { LRUCache } from 'lru-cache'
import { countersOf } from '../../kernel/metrics.ts'
import type { AnswerSource } from '../../rpc/server-timing.ts'
import { toInterruption } from '../sql/interruption.ts'

/** A query to answer from the cache or by computing it. */
export interface CachedQuery<T> {
  /** Equal only for identical queries of one project. */
  readonly key: string
  /** Lifetime of the answer in the cache, in milliseconds; 0 for none. */
  readonly ttlMs: number
  /** Computes the answer even if one is cached or in flight. */
  readonly isFresh: boolean
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** Computes the answer; its signal aborts when every caller has left. */
  readonly compute: (signal: AbortSignal) => Promise<T>
  /** Approximate size of an answer in bytes. */
  readonly sizeOf: (answer: T) => number
}

/** An answer with its cache outcome. */
export interface FoundAnswer<T> {
  readonly answer: T
  readonly source: AnswerSource
}

interface Computation {
  readonly answer: Promise<unknown>
  readonly abort: AbortController
  /** Stops further callers from coalescing with it. */
  readonly forget: () => void
  callerCount: number
  isOver: boolean
}

const answers = countersOf(
  'millrace_answers_total',
  'Query results by cache outcome: hit, coalesced with an identical query in flight, or miss.',
  { label: 'source', values: ['hit', 'coalesced', 'miss'] },
)

/** Caches answers for a short time, and coalesces identical queries in flight. */
export class AnswerCache {
  readonly #answers: LRUCache<string, { readonly answer: unknown }>
  readonly #computations = new Map<string, Computation>()

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.#answers = new LRUCache({ maxSize: bytesMax, maxEntrySize: Math.ceil(bytesMax / 8) })
  }

  /** Approximate size of the cached answers in bytes. */
  get bytes(): number {
    return this.#answers.calculatedSize
  }

  /** The answer, cached or computed. Throws the error of computing it, or `canceled` when the caller leaves first. */
  async answer<T>(query: CachedQuery<T>): Promise<FoundAnswer<T>> {
    const { key, isFresh } = query
    const known = isFresh ? undefined : this.#answers.get(key)
    const shared = isFresh ? undefined : this.#computations.get(key)
    const source = known ? 'hit' : shared ? 'coalesced' : 'miss'
    answers.inc({ source })
    // The key includes the type of the request, so the answer has the type of this query.
    if (known) return { answer: known.answer as T, source }
    const answer = (await this.#follow(shared ?? this.#start(query), query.signal)) as T
    return { answer, source }
  }

  #start<T>(query: CachedQuery<T>): Computation {
    const { key } = query
    const abort = new AbortController()
    const forget = (): void => {
      if (this.#computations.get(key) === computation) this.#computations.delete(key)
    }
    const finish = (): void => {
      computation.isOver = true
      forget()
    }
    const answer = this.#compute(query, abort.signal)
    const computation: Computation = { answer, abort, forget, callerCount: 0, isOver: false }
    this.#computations.set(key, computation)
    answer.then(finish, finish)
    return computation
  }

  async #compute<T>({ key, ttlMs, compute, sizeOf }: CachedQuery<T>, signal: AbortSignal): Promise<T> {
    const answer = await compute(signal)
    if (ttlMs > 0) this.#answers.set(key, { answer }, { ttl: ttlMs, size: Math.max(1, sizeOf(answer)) })
    return answer
  }

  async #follow(computation: Computation, signal: AbortSignal): Promise<unknown> {
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(toInterruption(signal.reason, undefined))
    computation.callerCount++
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([computation.answer, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      // Aborting costs the exception that the listeners would get.
      if (--computation.callerCount === 0 && !computation.isOver) {
        computation.forget()
        computation.abort.abort(signal.reason)
      }
    }
  }
}
