import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { readFirstBytes } from './first-bytes.ts'
import { readProxyHeader } from './proxy-protocol.ts'

/** A connection whose protocol is known; nothing of it was consumed but a PROXY header. */
export interface Connection {
  readonly socket: Socket
  /** Address of the client: the peer's, or what a trusted proxy's PROXY header says. */
  readonly address: string | undefined
}

/** Takes over connections of one protocol. */
export type TakeConnection = (connection: Connection) => void

/** How the public port is opened. */
export interface FrontOptions {
  readonly http1: TakeConnection
  readonly http2: TakeConnection
  /** True for peers whose PROXY header counts; another peer's is a malformed request. */
  readonly isTrustedPeer: (address: string) => boolean
  /** Paths of PEM files: with them every connection is TLS, and ALPN chooses the protocol. */
  readonly tls?: { readonly certPath: string; readonly keyPath: string }
}

/** How a connection began. */
interface Opening {
  readonly take: TakeConnection
  readonly address: string | undefined
  /** Bytes of a PROXY header, which the protocol behind it must not see. */
  readonly consumedBytes: number
}

/** A client that has not shown its protocol by then, TLS handshake included, is let go. */
const FIRST_BYTES_TIMEOUT_MS = 10_000

/** Several thousand clients may arrive at once after an outage. */
const BACKLOG = 4096

/** The public port: looks at how each connection begins, and hands it on as it came. */
export class Front {
  readonly #options: FrontOptions
  readonly #server: Server
  readonly #connections = new Set<Socket>()

  constructor(options: FrontOptions) {
    this.#options = options
    const accept = (socket: Socket): void => this.#accept(socket)
    this.#server = options.tls
      ? createTls(options.tls, accept)
      : createServer({ noDelay: true, allowHalfOpen: true }, accept)
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

  /** Closes what is still open. */
  close(): void {
    this.#server.close()
    for (const socket of this.#connections) socket.destroy()
  }

  #accept(socket: Socket): void {
    this.#connections.add(socket)
    socket.once('close', () => this.#connections.delete(socket))
    // A client that leaves is no event of ours; whoever takes the connection over listens for itself.
    socket.on('error', () => socket.destroy())
    const isNegotiated = 'alpnProtocol' in socket && (socket as TLSSocket).alpnProtocol === 'h2'
    if (isNegotiated) this.#options.http2({ socket, address: socket.remoteAddress })
    else this.#sniff(socket)
  }

  #sniff(socket: Socket): void {
    let seen: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => socket.destroy(), FIRST_BYTES_TIMEOUT_MS)
    const read = (chunk: Buffer): void => {
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
      const opening = this.#readOpening(socket, seen)
      if (opening === 'malformed') socket.destroy()
      if (typeof opening === 'string') return
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('end', leave)
      socket.pause()
      socket.unshift(seen.subarray(opening.consumedBytes))
      // HTTP/2 closes halves of streams; a client that closes its half of the connection has left.
      socket.allowHalfOpen = opening.take === this.#options.http1
      opening.take({ socket, address: opening.address })
    }
    // Whoever closes before the first words has nothing to say.
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
