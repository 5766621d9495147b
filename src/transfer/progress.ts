import { monotonicMs } from '../kernel/clock.ts'

/** A stream that progress is written to, such as standard error. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** Options of {@link Progress}. */
export interface ProgressOptions {
  readonly output: ProgressOutput
  /** Unit of the count, such as `events`. */
  readonly unit: string
  /** The expected count, if known. */
  readonly total?: number | undefined
  /** The count of an earlier run that this one resumes. */
  readonly done?: number
  readonly nowMs?: () => number
}

const REDRAW_MS = 100
const LINE_EVERY_MS = 10_000
const BAR_CELLS = 24

/** Shows the progress of a transfer: a bar on a terminal, a line every ten seconds elsewhere. */
export class Progress {
  readonly #options: ProgressOptions
  readonly #nowMs: () => number
  readonly #startedMs: number
  #done: number
  #shownMs: number

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? monotonicMs
    this.#startedMs = this.#nowMs()
    this.#shownMs = this.#startedMs
    this.#done = options.done ?? 0
  }

  /** Adds to the count. */
  add(count: number): void {
    this.#done += count
    const { output } = this.#options
    const nowMs = this.#nowMs()
    if (nowMs - this.#shownMs < (output.isTTY ? REDRAW_MS : LINE_EVERY_MS)) return
    this.#shownMs = nowMs
    output.write(output.isTTY ? `\r\u001b[K${this.#render()}` : `${this.#render()}\n`)
  }

  /** Shows the final count. */
  finish(): void {
    const { output } = this.#options
    output.write(output.isTTY ? `\r\u001b[K${this.#render()}\n` : `${this.#render()}\n`)
  }

  #render(): string {
    const { unit, total, done: before = 0 } = this.#options
    const seconds = Math.max((this.#nowMs() - this.#startedMs) / 1000, 0.001)
    const rate = (this.#done - before) / seconds
    const counts = `${format(this.#done)} ${unit}`
    const speed = `${format(Math.round(rate))}/s`
    if (total === undefined || total === 0) return `${counts}  ${speed}`
    const share = Math.min(this.#done / total, 1)
    const left = rate > 0 ? Math.max(total - this.#done, 0) / rate : 0
    return `${bar(share)} ${Math.floor(share * 100)} %  ${counts}  ${speed}  ${duration(left)} left`
  }
}

function bar(share: number): string {
  const full = Math.round(share * BAR_CELLS)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`
}
