import type { Clock } from '../kernel/clock.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { listDueKinds } from '../store/catalog/job-store.ts'

/** Whether jobs are due, for the runners of a process: those that poll at the same time share one look at the catalog. */
export class DueJobs {
  readonly #catalog: Catalog
  readonly #clock: Clock
  #look: Promise<ReadonlySet<string>> | undefined

  constructor({ catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock }) {
    this.#catalog = catalog
    this.#clock = clock
  }

  /** Whether a job of one of these kinds is due. Throws the error of the catalog. */
  async isDue(kinds: readonly string[]): Promise<boolean> {
    this.#look ??= listDueKinds(this.#catalog, this.#clock.nowMs()).finally(() => {
      this.#look = undefined
    })
    const due = await this.#look
    return kinds.some((kind) => due.has(kind))
  }
}
