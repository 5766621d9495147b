import { LRUCache } from 'lru-cache'
import { countersOf } from '../../kernel/metrics.ts'
import type { AnswerSource } from '../../rpc/server-timing.ts'
import { toInterruption } from '../sql/interruption.ts'

/** A question to answer, and what may be spared. */
export interface CachedQuery<T> {
  /** Equal for equal questions of one project only. */
  readonly key: string
  /** How long the answer may be given again, in milliseconds; 0 for never. */
  readonly ttlMs: number
  /** Asks anew, whatever is known. */
  readonly isFresh: boolean
  /** When the caller leaves. */
  readonly signal: AbortSignal
  /** Finds the answer; its signal aborts when every caller has left. */
  readonly compute: (signal: AbortSignal) => Promise<T>
  /** Bytes that an answer takes, roughly. */
  readonly sizeOf: (answer: T) => number
}

/** An answer, and where it came from. */
export interface FoundAnswer<T> {
  readonly answer: T
  readonly source: AnswerSource
}

interface Computation {
  readonly answer: Promise<unknown>
  readonly abort: AbortController
  /** Nobody may join it any more. */
  readonly forget: () => void
  callerCount: number
}

const answers = countersOf(
  'millrace_answers_total',
  'Query results by cache outcome: hit, coalesced with an identical query in flight, or miss.',
  { label: 'source', values: ['hit', 'coalesced', 'miss'] },
)

/** Gives answers again for a short while, and finds the answer to equal questions at once only once. */
export class AnswerCache {
  readonly #answers: LRUCache<string, { readonly answer: unknown }>
  readonly #computations = new Map<string, Computation>()

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.#answers = new LRUCache({ maxSize: bytesMax, maxEntrySize: Math.ceil(bytesMax / 8) })
  }

  /** Bytes of the answers that are kept, roughly. */
  get bytes(): number {
    return this.#answers.calculatedSize
  }

  /** The answer, kept or found. Throws what finding it throws, or `canceled` when the caller leaves first. */
  async answer<T>(query: CachedQuery<T>): Promise<FoundAnswer<T>> {
    const { key, isFresh } = query
    const known = isFresh ? undefined : this.#answers.get(key)
    const shared = isFresh ? undefined : this.#computations.get(key)
    const source = known ? 'hit' : shared ? 'coalesced' : 'miss'
    answers.inc({ source })
    // Whoever stored it under this key had the same type of question.
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
    const answer = this.#compute(query, abort.signal)
    const computation: Computation = { answer, abort, forget, callerCount: 0 }
    this.#computations.set(key, computation)
    answer.then(forget, forget)
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
      if (--computation.callerCount === 0) {
        computation.forget()
        computation.abort.abort(signal.reason)
      }
    }
  }
}
