/** Time between two beats, in milliseconds. */
const BEAT_MS = 10_000

/** Beats without an answer after which a process hangs: those of a minute, longer than any pause of a busy machine. */
const MISSED_MAX = 6

/** The ends of a {@link Heartbeat}. */
export interface HeartbeatOptions {
  /** Asks the process for an answer. */
  readonly beat: () => void
  /** Called once, when the process has answered nothing for a minute. */
  readonly onSilent: () => void
}

/**
 * Notices that a process hangs. It counts beats instead of time: after a machine or a container was frozen, the first beat finds only
 * one missing.
 */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout
  #missed = 0

  constructor({ beat, onSilent }: HeartbeatOptions) {
    this.#timer = setInterval(() => {
      if (this.#missed === MISSED_MAX) {
        this.stop()
        return onSilent()
      }
      this.#missed++
      beat()
    }, BEAT_MS).unref()
  }

  /** How long a process was silent when `onSilent` is called, in seconds. */
  static get silentSeconds(): number {
    return (BEAT_MS / 1000) * MISSED_MAX
  }

  /** The process has answered. */
  answered(): void {
    this.#missed = 0
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer)
  }
}
