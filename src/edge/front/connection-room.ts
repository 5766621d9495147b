import type { Socket } from 'node:net'
import { monotonicMs } from '../../kernel/clock.ts'
import { countersOf } from '../../kernel/metrics.ts'

/** Limits on the number of connections. */
export interface RoomOptions {
  readonly connectionsMax: number
  /** Connections that one peer may have at once. */
  readonly shareOf: (peer: string) => number
}

/** Younger ones may be about to send their first request, in milliseconds. */
const FRESH_MS = 250

/** A connection idle for less than this, in milliseconds, may be between two requests of a busy client. */
const PAUSE_MS = 1000

/** This part of the room is freed at once, so that a flood causes no search for each new connection. */
const FREED_SHARE = 1 / 32

/** Milliseconds before a search that found nothing is repeated. */
const SEARCH_PAUSE_MS = 50

const closed = countersOf(
  'millrace_connections_closed_total',
  'Connections closed at the connection limit: idle ones, or new ones that were refused.',
  { label: 'which', values: ['idle', 'new'] },
)

/** State of a connection, which decides whether it may be closed to make room. */
export class ConnectionUse {
  readonly socket: Socket
  /** The network for which it counts; the room keeps it. */
  peer = ''
  #sinceMs = monotonicMs()
  #hasWorked = false
  #requests = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** A request has begun; over HTTP/1.1, where they come one after the other, whether or not the last one has ended. */
  work(): void {
    this.#hasWorked = true
    this.#requests = 1
  }

  /** The answer to the only request has begun; once idle, the connection may be closed. */
  rest(): void {
    this.#requests = 0
    this.#sinceMs = monotonicMs()
  }

  /** One more request of several at once. */
  begin(): void {
    this.#hasWorked = true
    this.#requests++
  }

  /** One of several requests has ended. */
  end(): void {
    this.#requests--
    this.#sinceMs = monotonicMs()
  }

  /** True once it has served a request; others make room first. */
  get hasWorked(): boolean {
    return this.#hasWorked
  }

  /** True while a request waits for its answer. */
  get isBusy(): boolean {
    return this.#requests > 0
  }

  /** Since when it may be closed; `undefined` while it must not be. */
  idleSince(nowMs: number): number | undefined {
    const restMs = this.#hasWorked ? PAUSE_MS : FRESH_MS
    return this.#requests === 0 && nowMs - this.#sinceMs >= restMs ? this.#sinceMs : undefined
  }
}

/** Connections among which some may be closed. */
class Group {
  readonly uses = new Set<ConnectionUse>()
  #noneIdleUntilMs = 0

  /** Idle connections: first those that never served anything, then those of the largest groups, then the oldest. */
  findIdle(sizeOf: (peer: string) => number): readonly ConnectionUse[] {
    const nowMs = monotonicMs()
    if (nowMs < this.#noneIdleUntilMs) return []
    const idle = [...this.uses].flatMap((use) => {
      const sinceMs = use.idleSince(nowMs)
      return sinceMs === undefined ? [] : [{ use, sinceMs, siblings: sizeOf(use.peer) }]
    })
    if (idle.length === 0) this.#noneIdleUntilMs = nowMs + SEARCH_PAUSE_MS
    idle.sort(
      (a, b) =>
        Number(a.use.hasWorked) - Number(b.use.hasWorked) || b.siblings - a.siblings || a.sinceMs - b.sinceMs,
    )
    return idle.map(({ use }) => use)
  }
}

/**
 * The open connections of a port, of which there are never more than descriptors allow. When the room is full, idle
 * connections make way; busy ones never do.
 */
export class ConnectionRoom {
  readonly #options: RoomOptions
  readonly #all = new Group()
  readonly #peers = new Map<string, Group>()

  constructor(options: RoomOptions) {
    this.#options = options
  }

  /** Connections at the moment. */
  get size(): number {
    return this.#all.uses.size
  }

  /** Takes a connection in until it closes; `undefined` when there is no room. */
  enter(socket: Socket): ConnectionUse | undefined {
    const { connectionsMax } = this.#options
    const use = new ConnectionUse(socket)
    if (this.size >= connectionsMax) this.#makeRoom(this.#all)
    if (this.size >= connectionsMax || !this.#join(use, socket.remoteAddress ?? '')) {
      closed.inc({ which: 'new' })
      return undefined
    }
    this.#all.uses.add(use)
    socket.once('close', () => this.#leave(use))
    return use
  }

  /** Counts a connection for the client that a proxy names, and no longer for the proxy; false when that has its share. */
  attribute(use: ConnectionUse, address: string): boolean {
    this.#part(use)
    const isTaken = this.#join(use, address)
    if (!isTaken) closed.inc({ which: 'new' })
    return isTaken
  }

  #sizeOf(peer: string): number {
    return this.#peers.get(peer)?.uses.size ?? 0
  }

  #join(use: ConnectionUse, address: string): boolean {
    const peer = networkOf(address)
    const share = this.#options.shareOf(address)
    const siblings = this.#peers.get(peer)
    if (siblings && siblings.uses.size >= share) this.#makeRoom(siblings)
    if (this.#sizeOf(peer) >= share) return false
    const group = this.#peers.get(peer) ?? new Group()
    this.#peers.set(peer, group)
    group.uses.add(use)
    use.peer = peer
    return true
  }

  #part(use: ConnectionUse): void {
    const group = this.#peers.get(use.peer)
    group?.uses.delete(use)
    if (group?.uses.size === 0) this.#peers.delete(use.peer)
  }

  #leave(use: ConnectionUse): void {
    this.#all.uses.delete(use)
    this.#part(use)
  }

  #makeRoom(group: Group): void {
    const idle = group.findIdle((peer) => this.#sizeOf(peer))
    for (const use of idle.slice(0, Math.ceil(group.uses.size * FREED_SHARE))) {
      closed.inc({ which: 'idle' })
      this.#leave(use)
      use.socket.destroy()
    }
  }
}

/** The first half of an IPv6 address: its owner chooses the other half. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
