import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BodyBudget } from '../../src/edge/body-budget.ts'
import { ClientFactsReader } from '../../src/edge/client-facts.ts'
import { edgeRoutes, FORWARD } from '../../src/edge/edge-routes.ts'
import type { EdgeMethod } from '../../src/edge/exchange.ts'
import { RequestCount } from '../../src/edge/exchange.ts'
import { ClientHandles } from '../../src/edge/front/client-handles.ts'
import { Front } from '../../src/edge/front/front.ts'
import { Http1Clients } from '../../src/edge/front/http1-client.ts'
import { Http1Forwarder } from '../../src/edge/http1/http1-forward.ts'
import { Http1Server } from '../../src/edge/http1/http1-server.ts'
import { Http2Forwarder } from '../../src/edge/http2/http2-forward.ts'
import { Http2Server } from '../../src/edge/http2/http2-server.ts'
import { UpstreamPulse } from '../../src/edge/upstream-pulse.ts'
import { UpstreamRooms } from '../../src/edge/upstream-rooms.ts'
import type { AddressRanges } from '../../src/kernel/address-ranges.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { Readiness } from '../../src/rpc/readiness.ts'
import { Router } from '../../src/rpc/router.ts'
import { freePort } from './wait.ts'

/** How a test sets an edge up. */
export interface ForwardingEdgeOptions {
  /** The process that it forwards to. */
  readonly target: string
  /** Milliseconds without a byte after which a call is given up. */
  readonly idleTimeoutMs?: number
  /** Whether that process answers no check; it does unless told. */
  readonly isSilent?: () => Promise<boolean>
  /** Milliseconds after which a client that stands still is dropped; HTTP/2 only. */
  readonly stallTimeoutMs?: number
  /** Milliseconds that a connection of HTTP/1.1 may be idle at the front. */
  readonly clientIdleTimeoutMs?: number
  /** A mebibyte unless told. */
  readonly budget?: BodyBudget
  /** Of a forwarded call. */
  readonly bodyBytesMax?: number
  readonly ingestion?: ReadonlyMap<string, EdgeMethod>
  /** Paths of PEM files: with them every port speaks TLS. */
  readonly tls?: { readonly certPath: string; readonly keyPath: string }
}

const PATIENCE_MS = 20_000

/** The servers and forwarders of an edge in the process of the test, without a journal or a store. */
export class ForwardingEdge {
  readonly budget: BodyBudget
  readonly count = new RequestCount()
  readonly clients: Http1Clients
  /** Of the connections that are forwarded to the listener behind the front. */
  readonly handles = new ClientHandles()
  readonly #scheme: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'millrace-edge-'))
  #http1Port = 0
  #frontPort = 0
  readonly #http1: Http1Server
  /** Behind the front, where connections come through a Unix socket. */
  readonly #inner: Http1Server
  readonly #http2: Http2Server
  readonly #forwarders: readonly [Http1Forwarder, Http2Forwarder]
  readonly #front: Front

  private constructor({
    target,
    idleTimeoutMs = PATIENCE_MS,
    isSilent = async () => false,
    stallTimeoutMs,
    clientIdleTimeoutMs,
    budget = new BodyBudget(1024 * 1024),
    bodyBytesMax = 8 * 1024 * 1024,
    ingestion = new Map(),
    tls,
  }: ForwardingEdgeOptions) {
    this.budget = budget
    const log = createLogger({ role: 'edge', level: 'silent' })
    const trustedProxies: AddressRanges = { cidrs: [], includes: () => false }
    const rooms = new UpstreamRooms(new ClientFactsReader(trustedProxies))
    const pulse = new UpstreamPulse({ isSilent, log, patienceMs: 20 })
    const forwarding = {
      target: () => target,
      rooms,
      idleTimeoutMs,
      pulse,
      log,
      errorDomain: 'millrace.test',
    }
    this.#forwarders = [new Http1Forwarder(forwarding), new Http2Forwarder(forwarding)]
    const shared = {
      ...forwarding,
      bodyBytesMax,
      ingestion,
      readiness: new Readiness({}),
      budget: this.budget,
      count: this.count,
    }
    const http1 = { ...shared, forwarder: this.#forwarders[0], trustedProxies }
    this.#http1 = new Http1Server({ ...http1, ...(tls ? { tls } : {}) })
    this.#inner = new Http1Server({ ...http1, handles: this.handles })
    this.#http2 = new Http2Server({
      ...shared,
      forwarder: this.#forwarders[1],
      ...(stallTimeoutMs === undefined ? {} : { stallTimeoutMs }),
    })
    this.clients = new Http1Clients({
      path: this.#innerPath,
      handles: this.handles,
      errorDomain: 'millrace.test',
      router: new Router(edgeRoutes({ ingestion }), FORWARD),
      budget,
      count: this.count,
      allowedOrigins: new Set(),
      ...(clientIdleTimeoutMs === undefined ? {} : { idleTimeoutMs: clientIdleTimeoutMs }),
    })
    this.#front = new Front({
      http1: (connection) => this.clients.take(connection),
      http2: (connection) => this.#http2.take(connection),
      isTrustedPeer: () => false,
      ...(tls ? { tls } : {}),
    })
    this.#scheme = tls ? 'https' : 'http'
  }

  /** Opens a port for HTTP/1.1 alone, and one for both versions. */
  static async open(options: ForwardingEdgeOptions): Promise<ForwardingEdge> {
    const edge = new ForwardingEdge(options)
    edge.#http1Port = await freePort()
    const isOpen = await edge.#http1.listen('127.0.0.1', edge.#http1Port)
    if (!isOpen || !(await edge.#inner.listenAt(edge.#innerPath))) throw new Error('an address was taken')
    edge.#frontPort = await edge.#front.listen('127.0.0.1', 0)
    return edge
  }

  /** Open connections of HTTP/1.1 at the front. */
  get connections(): number {
    return this.clients.size
  }

  /** Where HTTP/1.1 is spoken by the listener itself, as in a service without HTTP/2. */
  get http1Url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#http1Port}`
  }

  /** Where both versions are spoken, behind the front as in a service. */
  get frontUrl(): string {
    return `${this.#scheme}://127.0.0.1:${this.#frontPort}`
  }

  get #innerPath(): string {
    return join(this.#folder, 'http1.sock')
  }

  /** Closes everything. */
  close(): void {
    this.#front.close()
    this.#http1.close()
    this.#inner.close()
    this.#http2.close()
    for (const forwarder of this.#forwarders) forwarder.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
