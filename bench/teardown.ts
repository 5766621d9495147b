import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Closes the resources of a case in the opposite order of their opening. */
export class Teardown {
  readonly #steps: (() => Promise<void>)[] = []
  #running: Promise<void> | undefined

  /** Closes something later. */
  defer(step: () => Promise<void>): void {
    this.#steps.push(step)
  }

  /** A new temporary folder, removed with everything in it. */
  temporaryFolder(): string {
    const path = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
    this.removeFolder(path)
    return path
  }

  /** Removes a folder later, if it is there. */
  removeFolder(path: string): void {
    this.defer(async () => rmSync(path, { recursive: true, force: true }))
  }

  /** Closes everything, also what follows a step that fails; rejects with the first failure. Runs each step once. */
  async run(): Promise<void> {
    this.#running ??= this.#runSteps()
    await this.#running
  }

  async #runSteps(): Promise<void> {
    const failures: unknown[] = []
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
