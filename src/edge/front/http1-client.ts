import type { Answer } from '../../rpc/answer.ts'
import { type AllowedOrigins, preflightAnswer } from '../../rpc/cors.ts'
import type { Router } from '../../rpc/router.ts'
import type { BodyBudget } from '../body-budget.ts'
import { BodyPieces } from '../body-pieces.ts'
import type { EdgeTarget } from '../edge-routes.ts'
import type { RequestCount } from '../exchange.ts'
import { answerMalformed, Bridge, type BridgeOptions, HEAD_TIMEOUT_MS } from './bridge.ts'
import { plainAddress } from './client-handles.ts'
import { encodeAnswer } from './encode-answer.ts'
import type { Connection } from './front.ts'
import { FrontExchange } from './front-exchange.ts'
import { FrontHead, type PassedHead } from './passed-head.ts'
import { type Malformed, RequestFraming } from './request-framing.ts'

/** Options of the connections of HTTP/1.1. */
export interface Http1ClientOptions extends BridgeOptions {
  readonly router: Router<EdgeTarget>
  readonly budget: BodyBudget
  readonly count: RequestCount
  readonly allowedOrigins: AllowedOrigins
  /** Milliseconds that a connection may be idle. */
  readonly idleTimeoutMs?: number
}

/** The open connections of HTTP/1.1. */
export class Http1Clients {
  readonly #options: Http1ClientOptions
  readonly #clients = new Set<Http1Client>()
  readonly #longBodies = new LongBodies()

  constructor(options: Http1ClientOptions) {
    this.#options = options
  }

  /** Open connections. */
  get size(): number {
    return this.#clients.size
  }

  /** Takes over a connection. */
  take(connection: Connection): void {
    const client = new Http1Client({ ...this.#options, longBodies: this.#longBodies }, connection)
    this.#clients.add(client)
    connection.socket.once('close', () => this.#clients.delete(client))
  }

  /** Closes the connections that are served here, once no request is under way. */
  close(): void {
    for (const client of this.#clients) client.closeIdle()
  }
}

/** A request that is served here, of which at least the head is in. */
interface ShortRequest {
  readonly head: FrontHead
  readonly target: EdgeTarget
  readonly bodyBytes: number
}

/** A head with its target. */
interface RoutedHead {
  readonly passed: PassedHead
  readonly head: FrontHead
  readonly target: EdgeTarget
}

/** A request in pieces is held up to this size. */
const SHORT_BYTES_MAX = 16 * 1024

/** A longer one, such as a batch of a few hundred events, is held up to this size while there is room for it. */
const LONG_BYTES_MAX = 256 * 1024

/** Room for all of those. Without room a request goes to the listener, which limits the pieces of all bodies by their owners. */
const LONG_BODIES_BYTES_MAX = 16 * 1024 * 1024

/** The bytes of the longer requests that are held. */
class LongBodies {
  #bytes = 0

  /** Takes room for a body; false when there is none. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > LONG_BODIES_BYTES_MAX) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** Bytes that may wait for the answer to the request before them. */
const QUEUED_BYTES_MAX = 16 * 1024

/** Milliseconds for which a body is awaited here; the listener has a rule for slow ones. */
const BODY_WAIT_MS = 1000

/** The same timeout as that of uWebSockets.js. */
const IDLE_TIMEOUT_MS = 10_000

/** What {@link RequestFraming} made of some bytes. */
type Next =
  | { readonly kind: 'request'; readonly request: ShortRequest }
  | { readonly kind: 'rest' | 'forward' }

const REST: Next = { kind: 'rest' }
const FORWARD: Next = { kind: 'forward' }

/**
 * A connection of HTTP/1.1. Short requests of ingestion are served here: the way to the listener and back is most of the cost
 * of a single event (benchmark case `e2e/json-batch-1`). All others are forwarded to the listener. A request that
 * arrives before the answer to the one before it waits here, or goes the way of that one.
 */
class Http1Client {
  readonly #options: Http1ClientOptions & { readonly longBodies: LongBodies }
  readonly #connection: Connection
  readonly #peer: string
  readonly #framing = new RequestFraming()
  /** Heads of requests that are done, or that were forwarded. */
  #headsDone = 0
  /** The last head that was read and not only compared. */
  #known: RoutedHead | undefined
  /** Pieces of the request that is not whole, and the request once its head is in. */
  #held: Buffer[] = []
  #request: ShortRequest | undefined
  /** Bytes of {@link LongBodies} that the request has. */
  #longBytes = 0
  #headTimer: NodeJS.Timeout | undefined
  #bodyTimer: NodeJS.Timeout | undefined
  #exchange: FrontExchange | undefined
  /** What came during an exchange. */
  #queued: Buffer[] = []
  #queuedBytes = 0
  /** The last answer is not yet with the system. */
  #isFull = false
  #bridge: Bridge | undefined
  #isForwarding = false
  #hasEnded = false
  #isOver = false

  constructor(options: Http1ClientOptions & { readonly longBodies: LongBodies }, connection: Connection) {
    this.#options = options
    this.#connection = connection
    this.#peer = plainAddress(connection.address ?? '')
    const { socket } = connection
    const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('drain', () => this.#drain())
    socket.on('end', () => this.#end())
    socket.on('timeout', () => this.#expire())
    socket.setTimeout(idleTimeoutMs)
    socket.once('close', () => {
      this.#release()
      this.#bridge?.drop()
      this.#exchange?.abort()
    })
    socket.resume()
  }

  /** Closes the connection unless a request is being served here; the listener closes those with a bridge. */
  closeIdle(): void {
    if (this.#exchange === undefined && this.#bridge === undefined) this.#connection.socket.destroySoon()
  }

  #expire(): void {
    if (this.#exchange === undefined && this.#bridge === undefined) this.#connection.socket.destroy()
  }

  #end(): void {
    this.#hasEnded = true
    if (this.#isForwarding) this.#bridge?.end()
    else if (!this.#isOver && this.#exchange === undefined) this.#connection.socket.destroySoon()
  }

  #drain(): void {
    this.#isFull = false
    this.#bridge?.drain()
    if (!this.#isForwarding) this.#takeQueued()
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#isForwarding) return this.#bridge?.take(chunk)
    if (this.#exchange || this.#isFull) return this.#queue(chunk)
    const passed = this.#framing.push(chunk)
    if (passed.length > 0) this.#held.push(passed)
    if (this.#framing.malformed && this.#held.length === 0) return this.#refuse(this.#framing.malformed)
    const next = this.#read()
    if (next.kind === 'request') return this.#serve(next.request)
    if (next.kind === 'forward') return this.#forward()
    if (this.#request) this.#awaitBody()
    else this.#headTimer ??= setTimeout(() => this.#connection.socket.destroy(), HEAD_TIMEOUT_MS)
  }

  /** A request counts from its head on, so that a stop waits for it. */
  #awaitBody(): void {
    if (this.#bodyTimer) return
    this.#bodyTimer = setTimeout(() => this.#forward(), BODY_WAIT_MS)
    this.#options.count.enter()
  }

  #queue(chunk: Buffer): void {
    this.#queued.push(chunk)
    this.#queuedBytes += chunk.length
    if (this.#queuedBytes > QUEUED_BYTES_MAX) this.#connection.socket.pause()
  }

  #takeQueued(): void {
    if (this.#queued.length === 0 || this.#isFull) return
    const chunk = Buffer.concat(this.#queued.splice(0))
    this.#queuedBytes = 0
    this.#connection.socket.resume()
    this.#take(chunk)
  }

  #read(): Next {
    const framing = this.#framing
    const heads = framing.headCount - this.#headsDone
    if (heads === 0) return REST
    if (!this.#request) this.#connection.use.work()
    this.#request ??= this.#find()
    const request = this.#request
    if (!request || heads > 1 || framing.malformed || framing.isInHead) return FORWARD
    if (framing.isBetweenRequests) return { kind: 'request', request }
    return this.#mayHold(request) ? REST : FORWARD
  }

  #mayHold({ head, bodyBytes }: ShortRequest): boolean {
    if (bodyBytes > LONG_BYTES_MAX || head.header('expect') !== undefined) return false
    if (bodyBytes <= SHORT_BYTES_MAX || this.#longBytes > 0) return true
    if (!this.#options.longBodies.take(bodyBytes)) return false
    this.#longBytes = bodyBytes
    return true
  }

  /** The request whose head has passed; `undefined` when it is not one that is served here. */
  #find(): ShortRequest | undefined {
    const passed = this.#framing.lastHead
    if (passed?.bodyBytes === undefined) return undefined
    const { head, target } = this.#route(passed)
    const isServed = target.kind === 'ingestion' || target.kind === 'dialect' || target.kind === 'preflight'
    // An answer to HEAD gives the length of a body that it does not have.
    return isServed && head.method !== 'HEAD' ? { head, target, bodyBytes: passed.bodyBytes } : undefined
  }

  /** Most clients repeat their head, so that its fields and its target are known. */
  #route(passed: PassedHead): RoutedHead {
    const known = this.#known
    if (known && known.passed === passed.repeats) {
      known.head.isRepeated = true
      return known
    }
    const head = new FrontHead(passed, this.#peer)
    const routed = { passed, head, target: this.#options.router.find(head.method, head.path) }
    this.#known = routed
    return routed
  }

  #serve(request: ShortRequest): void {
    this.#headsDone++
    this.#dropBridge()
    const [whole, ...others] = this.#held
    if (whole && others.length === 0) return this.#serveBytes(request, whole)
    const pieces = new BodyPieces()
    for (const piece of this.#held) pieces.add(piece)
    pieces.use((bytes) => this.#serveBytes(request, bytes))
  }

  #serveBytes({ head, target, bodyBytes }: ShortRequest, bytes: Buffer): void {
    const { budget, count, allowedOrigins } = this.#options
    const body = bytes.subarray(bytes.length - bodyBytes)
    const exchange = new FrontExchange({ body, budget, count, send: (answer) => this.#answer(head, answer) })
    this.#exchange = exchange
    this.#release()
    if (target.kind === 'preflight') {
      const crossing = { path: head.path, origin: head.header('origin') ?? '' }
      exchange.answer(preflightAnswer(crossing, allowedOrigins))
    } else if (target.kind === 'ingestion' || target.kind === 'dialect') target.method.serve(head, exchange)
  }

  #answer(head: FrontHead, answer: Answer): void {
    const { socket, use } = this.#connection
    this.#exchange = undefined
    use.rest()
    const isLast = head.isLast || this.#hasEnded || this.#options.count.isDraining
    this.#isFull = !socket.write(encodeAnswer(answer, isLast))
    if (!isLast) return this.#takeQueued()
    this.#isOver = true
    socket.resume()
    socket.destroySoon()
  }

  #refuse(malformed: Malformed): void {
    this.#release()
    this.#dropBridge()
    this.#isOver = true
    answerMalformed(this.#connection.socket, malformed, this.#options.errorDomain)
  }

  #forward(): void {
    const connection = this.#connection
    const framing = this.#framing
    const passed = this.#joined
    this.#release()
    this.#bridge ??= new Bridge({
      ...this.#options,
      connection,
      framing,
      headsBefore: this.#headsDone,
      onIdle: () => {
        this.#isForwarding = false
        this.#headsDone = framing.headCount
        this.#isFull = connection.socket.writableNeedDrain
      },
    })
    this.#isForwarding = true
    this.#bridge.pass(passed)
  }

  #dropBridge(): void {
    if (!this.#bridge) return
    this.#bridge.drop()
    this.#bridge = undefined
    this.#connection.socket.resume()
  }

  /** What is held. */
  get #joined(): Buffer {
    const [first] = this.#held
    return first && this.#held.length === 1 ? first : Buffer.concat(this.#held)
  }

  /** Lets go of what is held. */
  #release(): void {
    this.#held = []
    this.#request = undefined
    this.#options.longBodies.giveBack(this.#longBytes)
    this.#longBytes = 0
    clearTimeout(this.#headTimer)
    this.#headTimer = undefined
    if (!this.#bodyTimer) return
    clearTimeout(this.#bodyTimer)
    this.#bodyTimer = undefined
    this.#options.count.leave()
  }
}
