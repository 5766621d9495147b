import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const PRELOAD = pathToFileURL(resolve(import.meta.dirname, 'skew-preload.ts')).href

/** A time of day that tests set for the processes of a service, and for those only: Node.js loads it before their code. */
export class SkewedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'millrace-clock-'))

  constructor() {
    this.set(0)
  }

  /** Environment that a service needs at its start. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${PRELOAD}`, TEST_CLOCK_SKEW: this.#path }
  }

  /** From now on the service's clock differs from this machine's by so many milliseconds. */
  set(skewMs: number): void {
    writeFileSync(`${this.#path}.tmp`, String(skewMs))
    renameSync(`${this.#path}.tmp`, this.#path)
  }

  /** Removes what it needed. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #path(): string {
    return join(this.#folder, 'skew-ms')
  }
}
