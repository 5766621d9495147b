import type { WarningReason } from '../../contract/ingestion-warnings.ts'
import { describeEvent } from './describe-event.ts'
import { NO_SDK, type RequestWarning, type SdkName } from './warning.ts'

/** Different warnings of one request; what is beyond counts without the library and without a sample. */
const WARNINGS_MAX = 32

/** The warnings of one request, by reason and library. */
export class RequestWarnings {
  readonly #sdkOf: (record: unknown) => SdkName
  readonly #warnings = new Map<string, RequestWarning>()

  /** `sdkOf` finds the library of an event. */
  constructor(sdkOf: (record: unknown) => SdkName) {
    this.#sdkOf = sdkOf
  }

  /** The warnings; absent when there are none. */
  get list(): readonly RequestWarning[] | undefined {
    return this.#warnings.size === 0 ? undefined : [...this.#warnings.values()]
  }

  /** Counts an event, as it was sent. */
  add(reason: WarningReason, record: unknown): void {
    const sdk = this.#sdkOf(record)
    const key = `${reason} ${sdk.sdk} ${sdk.sdkVersion}`
    const known = this.#warnings.get(key)
    if (known) known.count++
    else if (this.#warnings.size < WARNINGS_MAX)
      this.#warnings.set(key, { reason, ...sdk, count: 1, sample: describeEvent(record, reason) })
    else this.#addBeyond(reason)
  }

  #addBeyond(reason: WarningReason): void {
    const known = this.#warnings.get(reason)
    if (known) known.count++
    else this.#warnings.set(reason, { reason, ...NO_SDK, count: 1, sample: '' })
  }
}
