import type { WarningReason } from '../../contract/ingestion-warnings.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { describeEvent } from './describe-event.ts'
import { NO_SDK, type RequestWarning, type SdkName } from './warning.ts'

/** Different warnings of one request; what is beyond counts without the library and without a sample. */
const WARNINGS_MAX = 32

/** Warnings that one worker describes within {@link DESCRIBED_MS}; an entry is below 200 bytes. Those beyond have no sample. */
const DESCRIBED_MAX = 10_000

/** How long a warning is not described again, in milliseconds. If the first sample was lost, a later one follows. */
const DESCRIBED_MS = 1000

/**
 * The warnings that one worker has described lately. Describing an event costs as much as storing it, and the list of a project
 * shows one sample an hour (benchmark case warnings/umami-1).
 */
export class DescribedWarnings {
  readonly #described = new Set<string>()
  #endMs = 0

  /** Whether a warning needs a sample: remembers it. */
  add(key: string): boolean {
    const nowMs = monotonicMs()
    if (nowMs >= this.#endMs) {
      this.#described.clear()
      this.#endMs = nowMs + DESCRIBED_MS
    }
    if (this.#described.size >= DESCRIBED_MAX || this.#described.has(key)) return false
    this.#described.add(key)
    return true
  }
}

/** Dependencies of {@link RequestWarnings}. */
export interface RequestWarningsOptions {
  /** Finds the library of an event. */
  readonly sdkOf: (record: unknown) => SdkName
  readonly described: DescribedWarnings
  /** The project and the dialect. */
  readonly source: string
}

/** The warnings of one request, by reason and library. */
export class RequestWarnings {
  readonly #options: RequestWarningsOptions
  readonly #warnings = new Map<string, RequestWarning>()

  constructor(options: RequestWarningsOptions) {
    this.#options = options
  }

  /** The warnings; absent when there are none. */
  get list(): readonly RequestWarning[] | undefined {
    return this.#warnings.size === 0 ? undefined : [...this.#warnings.values()]
  }

  /** Counts an event, as it was sent. */
  add(reason: WarningReason, record: unknown): void {
    const { sdkOf, described, source } = this.#options
    const sdk = sdkOf(record)
    const key = `${reason} ${sdk.sdk} ${sdk.sdkVersion}`
    const known = this.#warnings.get(key)
    if (known) known.count++
    else if (this.#warnings.size < WARNINGS_MAX) {
      const sample = described.add(`${source} ${key}`) ? describeEvent(record, reason) : ''
      this.#warnings.set(key, { reason, ...sdk, count: 1, sample })
    } else this.#addBeyond(reason)
  }

  #addBeyond(reason: WarningReason): void {
    const known = this.#warnings.get(reason)
    if (known) known.count++
    else this.#warnings.set(reason, { reason, ...NO_SDK, count: 1, sample: '' })
  }
}
