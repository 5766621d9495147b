/** The CPU time of a process and a monotonic clock, in milliseconds. */
export interface ProcessTime {
  readonly cpuMs: number
  readonly nowMs: number
}

/** A process that uses more of a core than this works. Without any request the busiest one uses less than 0.01. */
export const BUSY_SHARE = 0.02

/** Tells when a process that has worked is quiet, from its CPU time at regular looks. Its start counts as work. */
export class QuietPeriods {
  #last: ProcessTime
  #hasWorked = true

  constructor(start: ProcessTime) {
    this.#last = start
  }

  /** Whether a quiet period has begun: the process has worked, and not since the last look. */
  begins(now: ProcessTime): boolean {
    const share = (now.cpuMs - this.#last.cpuMs) / (now.nowMs - this.#last.nowMs)
    const hadWorked = this.#hasWorked
    this.#last = now
    this.#hasWorked = share > BUSY_SHARE
    return hadWorked && !this.#hasWorked
  }
}
