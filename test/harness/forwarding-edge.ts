import { BodyBudget, RequestCount } from '../../src/edge/exchange.ts'
import { Front } from '../../src/edge/front/front.ts'
import { Http1Forwarder } from '../../src/edge/http1/http1-forward.ts'
import { Http1Server } from '../../src/edge/http1/http1-server.ts'
import { Http2Forwarder } from '../../src/edge/http2/http2-forward.ts'
import { Http2Server } from '../../src/edge/http2/http2-server.ts'
import type { IngestionMethod } from '../../src/edge/ingestion-method.ts'
import type { AddressRanges } from '../../src/kernel/address-ranges.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { Readiness } from '../../src/rpc/readiness.ts'
import { freePort } from './wait.ts'

/** How a test sets an edge up. */
export interface ForwardingEdgeOptions {
  /** The process that it forwards to. */
  readonly target: string
  /** Milliseconds without a byte after which that process counts as stuck. */
  readonly idleTimeoutMs?: number
  /** Milliseconds after which a client that stands still is let go; HTTP/2 only. */
  readonly stallTimeoutMs?: number
  readonly ingestion?: ReadonlyMap<string, IngestionMethod>
}

const PATIENCE_MS = 20_000

/** The servers and forwarders of an edge in the process of the test, without a journal or a store. */
export class ForwardingEdge {
  readonly budget = new BodyBudget(1024 * 1024)
  readonly count = new RequestCount()
  readonly http1Url: string
  #http2Url = ''
  readonly #http1: Http1Server
  readonly #http2: Http2Server
  readonly #forwarders: readonly [Http1Forwarder, Http2Forwarder]
  readonly #front: Front

  private constructor(
    { target, idleTimeoutMs = PATIENCE_MS, stallTimeoutMs, ingestion = new Map() }: ForwardingEdgeOptions,
    http1Port: number,
  ) {
    const log = createLogger({ role: 'edge', level: 'silent' })
    const forwarding = { target: () => target, idleTimeoutMs, log, errorDomain: 'millrace.test' }
    this.#forwarders = [new Http1Forwarder(forwarding), new Http2Forwarder(forwarding)]
    const shared = {
      ...forwarding,
      ingestion,
      readiness: new Readiness({}),
      budget: this.budget,
      count: this.count,
    }
    const trustedProxies: AddressRanges = { cidrs: [], includes: () => false }
    this.#http1 = new Http1Server({
      ...shared,
      forwarder: this.#forwarders[0],
      bodyBytesMax: 65_536,
      trustedProxies,
    })
    this.#http2 = new Http2Server({
      ...shared,
      forwarder: this.#forwarders[1],
      ...(stallTimeoutMs === undefined ? {} : { stallTimeoutMs }),
    })
    this.#front = new Front({
      http1: ({ socket }) => socket.destroy(),
      http2: (connection) => this.#http2.take(connection),
      isTrustedPeer: () => false,
    })
    this.http1Url = `http://127.0.0.1:${http1Port}`
  }

  /** Opens a port for each version of HTTP. */
  static async open(options: ForwardingEdgeOptions): Promise<ForwardingEdge> {
    const http1Port = await freePort()
    const edge = new ForwardingEdge(options, http1Port)
    if (!(await edge.#http1.listen('127.0.0.1', http1Port))) throw new Error('the port was taken')
    edge.#http2Url = `http://127.0.0.1:${await edge.#front.listen('127.0.0.1', 0)}`
    return edge
  }

  /** Where HTTP/2 is spoken, behind the front as in a service. */
  get http2Url(): string {
    return this.#http2Url
  }

  /** Closes everything. */
  close(): void {
    this.#front.close()
    this.#http1.close()
    this.#http2.close()
    for (const forwarder of this.#forwarders) forwarder.close()
  }
}
