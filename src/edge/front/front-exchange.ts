import type { Answer } from '../../rpc/answer.ts'
import type { BodyBudget } from '../body-budget.ts'
import type { BodyOutcome, Exchange, RequestCount } from '../exchange.ts'

/** The parts of an exchange. */
export interface FrontExchangeParts {
  /** The whole body. */
  readonly body: Buffer
  readonly budget: BodyBudget
  readonly count: RequestCount
  /** Sends the answer. */
  readonly send: (answer: Answer) => void
}

/** One request that the front serves itself, whose body is in. */
export class FrontExchange implements Exchange {
  readonly #parts: FrontExchangeParts
  readonly #onGone: (() => void)[] = []
  #bodyBytes = 0
  #isOver = false

  constructor(parts: FrontExchangeParts) {
    this.#parts = parts
    parts.count.enter()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  onGone(listener: () => void): void {
    this.#onGone.push(listener)
  }

  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void): void {
    const { body, budget } = this.#parts
    if (body.length > bytesMax) return done({ refused: 'too_large' })
    if (body.length > 0 && budget.isSpent) return done({ refused: 'no_budget' })
    this.#bodyBytes = body.length
    budget.add(body.length)
    done({ body })
  }

  answer(answer: Answer): void {
    if (this.#isOver) return
    this.#finish()
    this.#parts.send(answer)
  }

  /** The client left. */
  abort(): void {
    if (this.#isOver) return
    this.#finish()
    for (const listener of this.#onGone) listener()
  }

  #finish(): void {
    this.#isOver = true
    this.#parts.budget.add(-this.#bodyBytes)
    this.#parts.count.leave()
  }
}
