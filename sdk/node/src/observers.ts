interface Observer {
  readonly isDone: () => boolean
  settle(isInTime: boolean): void
}

/** Those who wait for a state. */
export class Observers {
  #waiting: Observer[] = []

  get count(): number {
    return this.#waiting.length
  }

  /** Resolves with `true` once `isDone`, with `false` when the time is up before. */
  async observe(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isDone()) return true
    return await new Promise((resolve) => {
      const observer: Observer = { isDone, settle: resolve }
      this.#waiting.push(observer)
      if (timeoutMs === Number.POSITIVE_INFINITY) return
      const limit = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== observer)
        resolve(false)
      }, timeoutMs)
      observer.settle = (isInTime) => {
        clearTimeout(limit)
        resolve(isInTime)
      }
    })
  }

  /** The state has changed. */
  notify(): void {
    const done = this.#waiting.filter(({ isDone }) => isDone())
    this.#waiting = this.#waiting.filter((observer) => !done.includes(observer))
    for (const observer of done) observer.settle(true)
  }
}
