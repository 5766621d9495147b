/** Minimum rate of bodies. */
export interface PaceRule {
  /** Milliseconds between two checks of a body's progress. */
  readonly windowMs: number
  /** Milliseconds in which a whole body must be there. */
  readonly bodyMsMax: number
}

/**
 * A client that sends 7 KiB a second delivers a mebibyte in time, and none is dropped before ten seconds: slow lines get
 * through, clients that only occupy room do not.
 */
export const PACE_RULE: PaceRule = { windowMs: 10_000, bodyMsMax: 150_000 }

/** Minimum bytes that must arrive within each window. */
const WINDOW_BYTES_MIN = 16 * 1024

/** The same as a share of the bytes already held: a client that holds many must be about to finish. */
const WINDOW_SHARE = 1 / 16

/** Checks whether a body arrives fast enough. */
export class BodyPace {
  readonly #rule: PaceRule
  readonly #startedMs: number
  #windowStartedMs: number
  #windowBytes = 0

  constructor(rule: PaceRule, nowMs: number) {
    this.#rule = rule
    this.#startedMs = nowMs
    this.#windowStartedMs = nowMs
  }

  /** Counts bytes that came. */
  add(bytes: number): void {
    this.#windowBytes += bytes
  }

  /** Whether the body, of which `heldBytes` are there, came too slowly up to now. */
  isTooSlow(heldBytes: number, nowMs: number): boolean {
    const { windowMs, bodyMsMax } = this.#rule
    if (nowMs - this.#startedMs >= bodyMsMax) return true
    if (nowMs - this.#windowStartedMs < windowMs) return false
    if (this.#windowBytes < Math.max(WINDOW_BYTES_MIN, heldBytes * WINDOW_SHARE)) return true
    this.#windowStartedMs = nowMs
    this.#windowBytes = 0
    return false
  }
}
