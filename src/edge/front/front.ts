import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { ConnectionRoom, type ConnectionUse } from './connection-room.ts'
import { readFirstBytes, readProxyHeader } from './first-bytes.ts'

/** A connection with a detected protocol; only a PROXY header has been consumed. */
export interface Connection {
  readonly socket: Socket
  /** Address of the client: the peer's, or the one in a trusted proxy's PROXY header. */
  readonly address: string | undefined
  /** Set by the server that takes the connection over, so that busy connections stay when room is needed. */
  readonly use: ConnectionUse
}

/** Takes over connections of one protocol. */
export type TakeConnection = (connection: Connection) => void

/** Options of the public port. */
export interface FrontOptions {
  readonly http1: TakeConnection
  readonly http2: TakeConnection
  /** The limit on connections; absent where only our own processes connect. */
  readonly room?: ConnectionRoom
  /** True for peers whose PROXY header counts; another peer's is a malformed request. */
  readonly isTrustedPeer: (address: string) => boolean
  /** Paths of PEM files: with them every connection is TLS, and ALPN chooses the protocol. */
  readonly tls?: { readonly certPath: string; readonly keyPath: string }
}

/** The beginning of a connection. */
interface Opening {
  readonly take: TakeConnection
  readonly address: string | undefined
  /** Bytes of a PROXY header, which the protocol behind it must not see. */
  readonly consumedBytes: number
}

/** A client that has not shown its protocol by then, TLS handshake included, is dropped. */
const FIRST_BYTES_TIMEOUT_MS = 10_000

/** Several thousand clients may arrive at once after an outage. */
const BACKLOG = 4096

/** The public port: looks at how each connection begins, and hands it on as it came. */
export class Front {
  readonly #options: FrontOptions
  readonly #room: ConnectionRoom
  readonly #server: Server
  readonly #connections = new Set<Socket>()

  constructor(options: FrontOptions) {
    this.#options = options
    this.#room = options.room ?? new ConnectionRoom({ connectionsMax: Infinity, shareOf: () => Infinity })
    const accept = (socket: Socket): void => {
      const use = this.#enter(socket)
      if (use) this.#accept(socket, use)
    }
    this.#server = options.tls
      ? this.#createTls(options.tls)
      : createServer({ noDelay: true, allowHalfOpen: true }, accept)
    // A failed accept must not affect open connections.
    this.#server.on('error', () => undefined)
  }

  /** Listens; rejects with the system's error. Answers the port. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port, backlog: BACKLOG }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Accepts no further connection. */
  stopAccepting(): void {
    this.#server.close()
  }

  /** Resolves when every connection is closed, and at the latest after a time. */
  async untilClosed(timeoutMs: number): Promise<void> {
    const isOver = new AbortController()
    const timer = setTimeout(() => isOver.abort(), timeoutMs)
    const { signal } = isOver
    const closing = [...this.#connections].map((socket) => once(socket, 'close', { signal }))
    await Promise.allSettled(closing)
    clearTimeout(timer)
  }

  /** Closes all open connections. */
  close(): void {
    this.#server.close()
    for (const socket of this.#connections) socket.destroy()
  }

  /** TLS takes room from its handshake on. */
  #createTls(tls: { readonly certPath: string; readonly keyPath: string }): Server {
    const uses = new Map<string, ConnectionUse>()
    const server = createTls(tls, (socket) => {
      const use = uses.get(remoteOf(socket))
      if (use) this.#accept(socket, use)
      else socket.destroy()
    })
    return server.on('connection', (socket: Socket) => {
      const use = this.#enter(socket)
      const remote = remoteOf(socket)
      if (!use) return
      uses.set(remote, use)
      socket.once('close', () => uses.delete(remote))
    })
  }

  /**
   * Admits a connection. A connection that its client has reset before it was accepted has no peer, and is dropped: serving
   * it would delay the next ones, because each round of the event loop accepts one.
   */
  #enter(socket: Socket): ConnectionUse | undefined {
    const use = socket.remoteAddress === undefined ? undefined : this.#room.enter(socket)
    if (!use) socket.destroy()
    return use
  }

  #accept(socket: Socket, use: ConnectionUse): void {
    this.#connections.add(socket)
    socket.once('close', () => this.#connections.delete(socket))
    // A client that disconnects is not an error here; the server that takes the connection over has its own listener.
    socket.on('error', () => socket.destroy())
    const isNegotiated = 'alpnProtocol' in socket && (socket as TLSSocket).alpnProtocol === 'h2'
    if (isNegotiated) this.#options.http2({ socket, address: socket.remoteAddress, use })
    else this.#sniff(socket, use)
  }

  #sniff(socket: Socket, use: ConnectionUse): void {
    let seen: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => socket.destroy(), FIRST_BYTES_TIMEOUT_MS)
    const read = (chunk: Buffer): void => {
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
      const opening = this.#readOpening(socket, seen)
      if (opening === 'malformed') socket.destroy()
      if (typeof opening === 'object' && opening.address !== socket.remoteAddress) {
        if (!this.#room.attribute(use, opening.address ?? '')) return void socket.destroy()
      }
      if (typeof opening === 'string') return
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('end', leave)
      socket.pause()
      socket.unshift(seen.subarray(opening.consumedBytes))
      // HTTP/2 closes halves of streams; a client that closes its half of the connection has left.
      socket.allowHalfOpen = opening.take === this.#options.http1
      opening.take({ socket, address: opening.address, use })
    }
    // A connection that closes before its first bytes needs no answer.
    const leave = (): void => void socket.destroy()
    socket.once('end', leave)
    socket.on('data', read)
    socket.once('close', () => clearTimeout(timer))
  }

  #readOpening(socket: Socket, seen: Buffer): Opening | 'incomplete' | 'malformed' {
    const announced = readFirstBytes(seen)
    if (announced !== 'proxy') return this.#route(announced, socket.remoteAddress, 0)
    const header = this.#isTrusted(socket) ? readProxyHeader(seen) : 'malformed'
    if (typeof header === 'string') return header
    const behind = seen.subarray(header.length)
    const next = behind.length === 0 ? undefined : readFirstBytes(behind)
    // One proxy speaks for the client; a second header would be the client's own word.
    if (next === 'proxy') return 'malformed'
    return this.#route(next, header.address ?? socket.remoteAddress, header.length)
  }

  #route(
    announced: 'http1' | 'http2' | undefined,
    address: string | undefined,
    consumedBytes: number,
  ): Opening | 'incomplete' {
    if (announced === undefined) return 'incomplete'
    return { take: this.#options[announced], address, consumedBytes }
  }

  #isTrusted(socket: Socket): boolean {
    return socket.remoteAddress !== undefined && this.#options.isTrustedPeer(socket.remoteAddress)
  }
}

function createTls(
  tls: { readonly certPath: string; readonly keyPath: string },
  accept: (socket: TLSSocket) => void,
): Server {
  const cert = readFileSync(tls.certPath)
  const key = readFileSync(tls.keyPath)
  const options = { cert, key, ALPNProtocols: ['h2', 'http/1.1'], handshakeTimeout: FIRST_BYTES_TIMEOUT_MS }
  const server = createTlsServer({ ...options, noDelay: true }, accept)
  // A failed handshake is the client's affair.
  server.on('tlsClientError', (_, socket) => socket.destroy())
  return server
}

/** Routes the connections of a port by protocol. */
function remoteOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
