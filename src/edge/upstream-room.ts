/** A call that wants a connection to the query process. */
export interface Entrant {
  /** Network of the client. */
  readonly network: string
  /** True once the client no longer waits for the answer. */
  readonly isOver: boolean
  /** The call's turn has come; `leave` must be called once it needs its connection no longer. */
  start(leave: () => void): void
  /** The room is full, and nothing became free in time. */
  refuse(): void
}

/** Bounds of a room. */
export interface UpstreamRoomOptions {
  /** Calls at once. */
  readonly runningMax: number
  /** Calls that wait for their turn. */
  readonly waitingMax: number
  /** Milliseconds that a call waits. */
  readonly waitMs: number
}

/** Maximum share of one network in the running calls, and in the waiting ones. */
const NETWORK_SHARE = 3 / 4

interface Waiting {
  readonly entrant: Entrant
  readonly timer: NodeJS.Timeout
}

/**
 * The connections to the query process for one sort of call. Calls beyond the limit wait, and networks take turns, so that a
 * busy network delays only itself.
 */
export class UpstreamRoom {
  readonly #options: UpstreamRoomOptions
  readonly #runningOf = new Map<string, number>()
  /** By network; the first of the map has the next turn. */
  readonly #waitingOf = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(options: UpstreamRoomOptions) {
    this.#options = options
  }

  /** Calls that have a connection. */
  get running(): number {
    return this.#running
  }

  /** Calls that wait for one. */
  get waiting(): number {
    return this.#waiting
  }

  /** Starts a call now or later, or refuses it. */
  enter(entrant: Entrant): void {
    const { network } = entrant
    if (!this.#waitingOf.has(network) && this.#mayRun(network)) this.#start(entrant)
    else if (this.#mayWait(network)) this.#wait(entrant)
    else entrant.refuse()
  }

  #mayRun(network: string): boolean {
    const { runningMax } = this.#options
    return this.#running < runningMax && (this.#runningOf.get(network) ?? 0) < runningMax * NETWORK_SHARE
  }

  #mayWait(network: string): boolean {
    const { waitingMax } = this.#options
    this.#forgetWhoLeft(network)
    const ofNetwork = this.#waitingOf.get(network)?.length ?? 0
    return this.#waiting < waitingMax && ofNetwork < waitingMax * NETWORK_SHARE
  }

  #wait(entrant: Entrant): void {
    const { network } = entrant
    const timer = setTimeout(() => {
      this.#drop(network, (waiting) => waiting.entrant === entrant)
      entrant.refuse()
    }, this.#options.waitMs)
    const waiting = this.#waitingOf.get(network) ?? []
    waiting.push({ entrant, timer })
    this.#waitingOf.set(network, waiting)
    this.#waiting++
  }

  #start(entrant: Entrant): void {
    const { network } = entrant
    this.#running++
    this.#runningOf.set(network, (this.#runningOf.get(network) ?? 0) + 1)
    let hasLeft = false
    entrant.start(() => {
      if (hasLeft) return
      hasLeft = true
      this.#leave(network)
    })
  }

  #leave(network: string): void {
    this.#running--
    const left = (this.#runningOf.get(network) ?? 0) - 1
    if (left > 0) this.#runningOf.set(network, left)
    else this.#runningOf.delete(network)
    for (let next = this.#takeNext(); next; next = this.#takeNext()) this.#start(next)
  }

  #takeNext(): Entrant | undefined {
    if (this.#running >= this.#options.runningMax) return undefined
    for (const [network, waiting] of this.#waitingOf) {
      if (!this.#mayRun(network)) continue
      this.#forgetWhoLeft(network)
      const next = waiting[0]
      if (!next) continue
      this.#drop(network, (one) => one === next)
      const rest = this.#waitingOf.get(network)
      // The others come first.
      if (rest && this.#waitingOf.delete(network)) this.#waitingOf.set(network, rest)
      return next.entrant
    }
    return undefined
  }

  #forgetWhoLeft(network: string): void {
    this.#drop(network, ({ entrant }) => entrant.isOver)
  }

  #drop(network: string, isDropped: (waiting: Waiting) => boolean): void {
    const all = this.#waitingOf.get(network)
    if (!all) return
    const kept = all.filter((waiting) => !isDropped(waiting))
    for (const waiting of all) if (isDropped(waiting)) clearTimeout(waiting.timer)
    this.#waiting -= all.length - kept.length
    all.splice(0, all.length, ...kept)
    if (kept.length === 0) this.#waitingOf.delete(network)
  }
}
