import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../kernel/cache-limit.ts'
import { countersOf, observedGauges } from '../kernel/metrics.ts'
import { HOLD_MS_MAX } from '../rpc/edge-notes.ts'
import type { BodyOwner } from './body-budget.ts'
import type { ClientFactsReader, ClientHead } from './client-facts.ts'
import { HeldAnswers } from './held-answers.ts'
import { type Entrant, UpstreamRoom, type UpstreamRoomOptions } from './upstream-room.ts'

/**
 * Kinds of forwarded calls: those with a credential; sign-ins and other calls without one, from networks with a recently
 * verified account and from others; shared dashboards; files of the console and the snippet; and bidirectional streams, which
 * hold a connection as long as the client wants.
 */
const SORTS = ['credential', 'known-sign-in', 'sign-in', 'shared', 'file', 'stream'] as const

type Sort = (typeof SORTS)[number]

/** Calls without a credential never take connections from calls with one. */
const ROOMS: Readonly<Record<Sort, UpstreamRoomOptions>> = {
  credential: { runningMax: 256, waitingMax: 1024, waitMs: 10_000 },
  // A flood from unknown networks cannot fill it.
  'known-sign-in': { runningMax: 32, waitingMax: 256, waitMs: 10_000 },
  'sign-in': { runningMax: 48, waitingMax: 512, waitMs: 5000 },
  shared: { runningMax: 32, waitingMax: 256, waitMs: 10_000 },
  file: { runningMax: 32, waitingMax: 512, waitMs: 5000 },
  stream: { runningMax: 16, waitingMax: 0, waitMs: 0 },
}

/** Maximum networks in memory: a few megabytes. */
const KNOWN_NETWORKS_MAX = 10_000

/** Milliseconds for which a network stays known: over a weekend. A restart clears all, and the next verified call adds one again. */
const KNOWN_MS = 7 * 24 * 3_600_000

/** A held call costs a few kilobytes. */
const HELD_MAX = 4000

const SIGN_IN_PATH = /^\/(public\.auth\.|console\/session\/|oauth\/logout\/)/
const SHARED_PATH = /^\/public\./
/** gRPC clients keep their stream of reflection requests open. */
const STREAM_PATH = /^\/grpc\.reflection\./

const refused = countersOf(
  'millrace_forwarded_refused_total',
  'Calls rejected because no connection to the query process became free in time, by sort of call.',
  { label: 'sort', values: SORTS },
)

/** A forwarded call before its body. */
export interface ForwardedHead extends ClientHead {
  readonly method: string
  readonly path: string
}

/** The caller of a forwarded call, as far as limits depend on it. */
export interface ForwardedCaller extends BodyOwner {
  readonly sort: Sort
}

/** The connections to the query process, over both versions of HTTP, and the answers that are held before they go out. */
export class UpstreamRooms {
  readonly #clients: ClientFactsReader
  readonly #rooms: ReadonlyMap<Sort, UpstreamRoom>
  readonly #knownNetworks = new LRUCache<string, true>({ ...entriesUpTo(KNOWN_NETWORKS_MAX), ttl: KNOWN_MS })
  readonly #held = new HeldAnswers({ heldMax: HELD_MAX, networkHeldMax: HELD_MAX / 4 })

  constructor(clients: ClientFactsReader) {
    this.#clients = clients
    this.#rooms = new Map(SORTS.map((sort) => [sort, new UpstreamRoom(ROOMS[sort])]))
  }

  /** Most connections at once, all sorts together. */
  static get connectionsMax(): number {
    return SORTS.reduce((sum, sort) => sum + ROOMS[sort].runningMax, 0)
  }

  /** Describes the caller from the head of a call. */
  describe(head: ForwardedHead): ForwardedCaller {
    const credential = head.header('authorization') || head.header('x-api-key') || ''
    const network = this.#clients.network(head)
    const withoutHistory = sortOf(head, credential)
    const sort =
      withoutHistory === 'sign-in' && this.#knownNetworks.has(network) ? 'known-sign-in' : withoutHistory
    const kind = sort === 'credential' || sort === 'known-sign-in' ? 'call' : 'anonymous call'
    return { sort, kind, credential, network }
  }

  /** Remembers that a call of this network proved an account. */
  rememberVerified({ network }: ForwardedCaller): void {
    this.#knownNetworks.set(network, true)
  }

  /** Starts a call when there is a connection for it. Sign-ins wait, because clients would retry a refusal immediately. */
  enter({ sort, network }: ForwardedCaller, entrant: Omit<Entrant, 'network'>): void {
    this.#rooms.get(sort)?.enter({
      network,
      get isOver() {
        return entrant.isOver
      },
      start: (leave) => entrant.start(leave),
      refuse: () => {
        refused.inc({ sort })
        this.hold(network, sort.endsWith('sign-in') ? HOLD_MS_MAX : 0, () => entrant.refuse())
      },
    })
  }

  /** Calls `answer` after a time, unless that is 0. */
  hold(network: string, ms: number, answer: () => void): void {
    if (ms === 0) answer()
    else this.#held.hold(network, ms, answer)
  }

  /** Registers what shows how full the rooms are. */
  observe(): void {
    const read = (of: (room: UpstreamRoom) => number) => () =>
      [...this.#rooms].map(([sort, room]) => ({ labels: { sort }, value: of(room) }))
    observedGauges('millrace_forwarded_running', 'Calls in flight to the query process, by sort of call.', {
      labels: ['sort'],
      read: read(({ running }) => running),
    })
    observedGauges(
      'millrace_forwarded_waiting',
      'Calls waiting for a connection to the query process, by sort of call.',
      { labels: ['sort'], read: read(({ waiting }) => waiting) },
    )
  }
}

/** True for a call with a bidirectional stream, whose request must not be buffered. */
export function isRequestStream(path: string): boolean {
  return STREAM_PATH.test(path)
}

function sortOf({ method, path }: ForwardedHead, credential: string): Sort {
  if (SIGN_IN_PATH.test(path)) return 'sign-in'
  if (SHARED_PATH.test(path)) return 'shared'
  if (isRequestStream(path)) return 'stream'
  if (credential !== '') return 'credential'
  return method === 'GET' || method === 'HEAD' ? 'file' : 'sign-in'
}
