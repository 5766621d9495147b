import { monotonicMs } from '../kernel/clock.ts'
import { BodyPace, PACE_RULE, type PaceRule } from './body-pace.ts'

/** Kind of call that a body belongs to: events or Identify, forwarded calls, and forwarded calls without a credential. */
export type BodyKind = 'ingestion' | 'call' | 'anonymous call'

/** The owners of a body, each of which has a share of the budget. Determined only for bodies that arrive in pieces. */
export interface BodyOwner {
  readonly kind: BodyKind
  /** The API key or the token; empty without one. */
  readonly credential: string
  /** Network of the client. */
  readonly network: string
}

/** Of a body that is answered without being read. */
export const NO_OWNER: BodyOwner = { kind: 'ingestion', credential: '', network: '' }

/** Parts of the whole room. */
export interface BodyShares {
  readonly kinds: Readonly<Record<BodyKind, number>>
  readonly credential: number
  readonly network: number
  readonly connection: number
}

/**
 * Maximum share of the room by kind, credential, network and connection: ingestion keeps most of it under any load, and no
 * single connection, key or network can use it up.
 */
const BODY_SHARES: BodyShares = {
  kinds: { ingestion: 1, call: 3 / 8, 'anonymous call': 1 / 8 },
  credential: 3 / 8,
  network: 5 / 8,
  connection: 1 / 4,
}

/** Longer bodies stop at this part of a share, so that slow ones of them leave room for usual ones. */
const LONG_BODY_BYTES = 64 * 1024
const LONG_BODY_SHARE = 3 / 4

/** Checks of bodies under way in each window of their pace. */
const LOOKS_PER_WINDOW = 5

/** A body under way, as its transport reports it. */
export interface BodyUnderWay {
  /** One per connection, where a connection carries several bodies at once. */
  readonly connection: string | undefined
  /** The body arrives too slowly; reading stops. */
  letGo(): void
  /** The body comes fast enough so far: called every other second. */
  keep(): void
}

/** Options of a {@link BodyBudget}. */
export interface BodyBudgetOptions {
  readonly shares?: BodyShares
  readonly pace?: PaceRule
}

/** A share of the room. */
interface Share {
  readonly name: string
  readonly bytesMax: number
}

/**
 * The bytes of all bodies that the process reads or works on. They exceed the budget, and each share of it, by at most one
 * body.
 */
export class BodyBudget {
  readonly #bytesMax: number
  readonly #shares: BodyShares
  readonly #pace: PaceRule
  readonly #held = new Map<string, number>()
  readonly #underWay = new Set<BodyRoom>()
  #timer: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(bytesMax: number, { shares = BODY_SHARES, pace = PACE_RULE }: BodyBudgetOptions = {}) {
    this.#bytesMax = bytesMax
    this.#shares = shares
    this.#pace = pace
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  /** True when no further body should be admitted. */
  get isSpent(): boolean {
    return this.#bytes >= this.#bytesMax
  }

  /** Counts the bytes of a body that came whole; negative gives them back. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** Room for a body that comes in pieces. */
  open(owner: BodyOwner, body: BodyUnderWay): BodyRoom {
    const room = new BodyRoom(this, {
      shares: this.#sharesOf(owner, body.connection),
      body,
      pace: this.#pace,
    })
    this.#underWay.add(room)
    this.#timer ??= setInterval(() => this.#look(), this.#pace.windowMs / LOOKS_PER_WINDOW)
    return room
  }

  /**
   * Counts bytes of a body that already holds `own`, unless other bodies leave no room. Its own bytes do not count against
   * it, so that a body of any length within the settings fits.
   */
  take(shares: readonly Share[], bytes: number, own: number): boolean {
    if (this.#bytes - own >= this.#bytesMax) return false
    const part = own + bytes > LONG_BODY_BYTES ? LONG_BODY_SHARE : 1
    if (shares.some(({ name, bytesMax }) => (this.#held.get(name) ?? 0) - own >= bytesMax * part))
      return false
    this.#count(shares, bytes)
    return true
  }

  /** The body is complete or abandoned, so its pace no longer matters. */
  rest(room: BodyRoom): void {
    this.#underWay.delete(room)
    if (this.#underWay.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Gives back what {@link take} counted. */
  giveBack(shares: readonly Share[], bytes: number): void {
    this.#count(shares, -bytes)
  }

  #sharesOf({ kind, credential, network }: BodyOwner, connection: string | undefined): readonly Share[] {
    const { kinds, ...parts } = this.#shares
    const named: (readonly [name: string, part: number])[] = [
      [kind, kinds[kind]],
      [`network ${network}`, parts.network],
    ]
    if (credential !== '') named.push([`credential ${credential}`, parts.credential])
    if (connection !== undefined) named.push([`connection ${connection}`, parts.connection])
    return named.map(([name, part]) => ({ name, bytesMax: part * this.#bytesMax }))
  }

  #count(shares: readonly Share[], bytes: number): void {
    this.#bytes += bytes
    for (const { name } of shares) {
      const held = (this.#held.get(name) ?? 0) + bytes
      if (held > 0) this.#held.set(name, held)
      else this.#held.delete(name)
    }
  }

  #look(): void {
    const nowMs = monotonicMs()
    for (const room of [...this.#underWay]) room.look(nowMs)
  }
}

/** The room of one body, from its first piece until it is answered. */
export class BodyRoom {
  readonly #budget: BodyBudget
  readonly #shares: readonly Share[]
  readonly #body: BodyUnderWay
  readonly #pace: BodyPace
  #bytes = 0

  constructor(
    budget: BodyBudget,
    parts: { readonly shares: readonly Share[]; readonly body: BodyUnderWay; readonly pace: PaceRule },
  ) {
    this.#budget = budget
    this.#shares = parts.shares
    this.#body = parts.body
    this.#pace = new BodyPace(parts.pace, monotonicMs())
  }

  /** Bytes that were taken. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a piece; false when there is no room for it. */
  take(bytes: number): boolean {
    if (bytes > 0 && !this.#budget.take(this.#shares, bytes, this.#bytes)) return false
    this.#bytes += bytes
    this.#pace.add(bytes)
    return true
  }

  /** The body is complete or abandoned. */
  rest(): void {
    this.#budget.rest(this)
  }

  /** Gives everything back. */
  close(): void {
    this.rest()
    this.#budget.giveBack(this.#shares, this.#bytes)
    this.#bytes = 0
  }

  /** Lets go of a body that comes too slowly. */
  look(nowMs: number): void {
    if (this.#pace.isTooSlow(this.#bytes, nowMs)) this.#body.letGo()
    else this.#body.keep()
  }
}
