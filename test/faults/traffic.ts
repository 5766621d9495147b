import { waitFor } from '../harness/wait.ts'
import { BatchSource } from './batch-source.ts'
import { waitUntilReady } from './drain.ts'
import { EventSeries } from './event-series.ts'
import { Ledger } from './ledger.ts'
import { Load, type LoadOptions } from './load.ts'
import { readStored, readTrends, type Stored } from './read-back.ts'
import type { Rig } from './rig.ts'
import { type Findings, verify } from './verify.ts'

/** Sends traffic to a service, and records everything sent since the service has its folder. */
export class Traffic {
  readonly ledger = new Ledger()
  readonly #rig: Rig
  readonly #series: EventSeries

  constructor(rig: Rig, seed: number) {
    this.#rig = rig
    this.#series = new EventSeries(seed)
  }

  /** Lets clients send while `work` runs; `batchEvents` is the mean of what they send at once. */
  async underLoad(
    options: Omit<LoadOptions, 'url' | 'series' | 'source'> & { readonly batchEvents: number },
    work: (load: Load) => Promise<unknown>,
  ): Promise<Load> {
    const source = new BatchSource({ ...options, ledger: this.ledger })
    const load = new Load({ ...options, url: this.#rig.service.url, series: this.#series, source })
    load.start()
    try {
      await work(load)
    } finally {
      await load.stop()
    }
    return load
  }

  /** Resolves when so many events more were acknowledged than now. */
  async waitForProgress(events: number, timeoutMs: number): Promise<void> {
    const { acknowledged } = this.ledger.counts()
    const isDone = (): boolean => this.ledger.counts().acknowledged >= acknowledged + events
    await waitFor('batches to be taken', () => (isDone() ? true : undefined), timeoutMs)
  }

  /** Compares everything that was sent with everything that is stored; the journal must be drained. */
  async check(): Promise<{ readonly findings: Findings; readonly stored: Stored }> {
    const { service, endpoint } = this.#rig
    await waitUntilReady(service)
    const stored = await readStored(endpoint(), this.#series, this.ledger.sent)
    const trends = await readTrends(service, this.#series, this.ledger.sent)
    return { findings: verify({ ledger: this.ledger, stored, trends }, this.#series), stored }
  }
}
