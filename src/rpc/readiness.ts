import { type Answer, jsonAnswer } from './answer.ts'

/** A part that must work before the service can serve; resolves when it does, throws when not. */
export type ReadinessCheck = () => Promise<void>

/** Milliseconds for which an answer is good: a load balancer's probes must not load the store. */
const FRESH_MS = 500

/** Answers whether this invocation can serve, from checks that run at most every half second. */
export class Readiness {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>
  #checked: Promise<string[]> | undefined
  #stopping = false

  constructor(checks: Readonly<Record<string, ReadinessCheck>>) {
    this.#checks = checks
  }

  /** True once the process stops. */
  get isStopping(): boolean {
    return this.#stopping
  }

  /** From now on the answer names `stopping`. */
  stop(): void {
    this.#stopping = true
  }

  /** The answer of `GET /readyz`: 200, or 503 with the names of the missing parts. */
  async answer(): Promise<Answer> {
    const missing = await this.missing()
    const isReady = missing.length === 0
    return jsonAnswer(isReady ? 200 : 503, { ready: isReady, missing })
  }

  /** Names of the parts that are missing; empty means ready. */
  async missing(): Promise<string[]> {
    if (this.#stopping) return ['stopping']
    if (!this.#checked) {
      this.#checked = this.#run()
      setTimeout(() => {
        this.#checked = undefined
      }, FRESH_MS).unref()
    }
    return await this.#checked
  }

  async #run(): Promise<string[]> {
    const outcomes = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => {
        try {
          await check()
          return []
        } catch {
          return [name]
        }
      }),
    )
    return outcomes.flat()
  }
}
