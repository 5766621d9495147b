import { type Answer, jsonAnswer } from './answer.ts'

/** Checks a dependency without which the service is not ready; throws when it does not work, and may be given up. */
export type ReadinessCheck = () => Promise<void>

/** The answer of the liveness probe: a process that can send it is alive. */
export const LIVENESS: Answer = jsonAnswer(200, { status: 'ok' })

/** A check without a result by then has failed: probes of load balancers wait for two to five seconds. */
const CHECK_MS_MAX = 2000

/** Milliseconds for which a result is cached, so that a load balancer's probes do not load the store. */
const FRESH_MS = 500

/** The readiness of this process, from checks that run at most every half second. */
export class Readiness {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>
  #checked: Promise<string[]> | undefined
  #stopping = false

  constructor(checks: Readonly<Record<string, ReadinessCheck>>) {
    this.#checks = checks
  }

  /** True from the moment at which the process begins to stop. */
  get isStopping(): boolean {
    return this.#stopping
  }

  /** Makes the process not ready, with the reason `stopping`. */
  stop(): void {
    this.#stopping = true
  }

  /** The answer of `GET /readyz`: 200, or 503 with the names of the failed checks. */
  async answer(): Promise<Answer> {
    const missing = await this.missing()
    const isReady = missing.length === 0
    return jsonAnswer(isReady ? 200 : 503, { ready: isReady, missing })
  }

  /** Names of the failed checks; empty when ready. */
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
    const expiry = Promise.withResolvers<never>()
    const timer = setTimeout(() => expiry.reject(new Error('the check takes too long')), CHECK_MS_MAX)
    expiry.promise.catch(() => undefined)
    const outcomes = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => {
        try {
          await Promise.race([check(), expiry.promise])
          return []
        } catch {
          return [name]
        }
      }),
    )
    clearTimeout(timer)
    return outcomes.flat()
  }
}
