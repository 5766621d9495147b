import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { sleep } from '../../src/kernel/clock.ts'

/** Behaviours of the proxy; every fault but `pass` and `delay` ends the connection that it hits. */
export const PROXY_FAULTS = [
  'refuseConnection',
  'cutRequest',
  'cutAnswer',
  'truncateAnswer',
  'delay',
  'swallow',
  'answer500',
  'answer503',
  'replaceAnswer',
] as const

/** One of {@link PROXY_FAULTS}. */
export type ProxyFault = (typeof PROXY_FAULTS)[number]

/** How hard a fault hits. */
export interface ProxyFaultSize {
  /** Bytes of a request that still get through, for `cutRequest`. */
  readonly bytes: number
  /** For `delay`, for each piece of data in either direction. */
  readonly delayMs: number
}

const STATUS = { answer500: '500 Internal Server Error', answer503: '503 Service Unavailable' } as const

/** A TCP proxy between the service and ClickHouse with planned faults. */
export class ClickHouseProxy {
  readonly #server: Server
  readonly #targetPort: number
  readonly #sockets = new Set<Socket>()
  #fault: ProxyFault | 'pass' = 'pass'
  #size: ProxyFaultSize = { bytes: 0, delayMs: 0 }
  #hits = 0

  private constructor(targetPort: number) {
    this.#targetPort = targetPort
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Listens on a free port of 127.0.0.1 and passes everything on to another. */
  static async start(targetPort: number): Promise<ClickHouseProxy> {
    const proxy = new ClickHouseProxy(targetPort)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The port that the service is given. */
  get port(): number {
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('the proxy does not listen')
    return address.port
  }

  /** Pieces of data and connections that a fault has hit. */
  get hits(): number {
    return this.#hits
  }

  /** From now on, for old connections and new ones, until {@link heal}. */
  break(fault: ProxyFault, size: ProxyFaultSize): void {
    this.#fault = fault
    this.#size = size
  }

  /** Passes everything on again; what was swallowed ends with its connection. */
  heal(): void {
    if (this.#fault === 'swallow') for (const socket of this.#sockets) socket.destroy()
    this.#fault = 'pass'
  }

  /** Ends every connection and the server. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    if (this.#fault === 'refuseConnection') {
      this.#hits++
      return void client.resetAndDestroy()
    }
    const store = connect(this.#targetPort, '127.0.0.1')
    const pair = { client, store }
    // One after the other: a piece that is delayed must not be overtaken by the next.
    const passed = { request: Promise.resolve(), answer: Promise.resolve() }
    for (const socket of [client, store]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        store.destroy()
      })
    }
    client.on('data', (data) => {
      passed.request = passed.request.then(() => this.#pass('request', data, pair))
    })
    store.on('data', (data) => {
      passed.answer = passed.answer.then(() => this.#pass('answer', data, pair))
    })
  }

  async #pass(direction: 'request' | 'answer', data: Buffer, pair: Pair): Promise<void> {
    const fault = this.#fault
    if (fault !== 'pass') this.#hits++
    if (fault === 'delay') await sleep(this.#size.delayMs)
    if (fault === 'pass' || fault === 'delay') return forward(direction, data, pair)
    if (direction === 'request') this.#breakRequest(fault, data, pair)
    else breakAnswer(fault, data, pair)
  }

  #breakRequest(fault: ProxyFault, data: Buffer, pair: Pair): void {
    const { client, store } = pair
    switch (fault) {
      case 'refuseConnection':
        return void client.resetAndDestroy()
      case 'cutRequest':
        if (data.length < this.#size.bytes) {
          this.#size = { ...this.#size, bytes: this.#size.bytes - data.length }
          return forward('request', data, pair)
        }
        return void store.end(data.subarray(0, this.#size.bytes), () => client.resetAndDestroy())
      case 'answer500':
      case 'answer503':
        return void client.end(
          `HTTP/1.1 ${STATUS[fault]}\r\nconnection: close\r\ncontent-length: 6\r\n\r\nbroken`,
        )
      case 'swallow':
        return
      default:
        return forward('request', data, pair)
    }
  }
}

interface Pair {
  readonly client: Socket
  readonly store: Socket
}

function forward(direction: 'request' | 'answer', data: Buffer, { client, store }: Pair): void {
  const from = direction === 'request' ? client : store
  const to = direction === 'request' ? store : client
  if (to.destroyed || to.write(data)) return
  from.pause()
  to.once('drain', () => from.resume())
}

/** Withholds an answer: ClickHouse has done its work, and the service does not learn of it. */
function breakAnswer(fault: ProxyFault, data: Buffer, { client }: Pair): void {
  if (fault === 'truncateAnswer') return void client.end(data.subarray(0, Math.ceil(data.length / 2)))
  if (fault === 'replaceAnswer') {
    return void client.end(
      `HTTP/1.1 ${STATUS.answer500}\r\nconnection: close\r\ncontent-length: 4\r\n\r\nlost`,
    )
  }
  if (fault !== 'swallow') client.resetAndDestroy()
}
