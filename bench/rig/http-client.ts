import { connect, type Socket } from 'node:net'
import type { Teardown } from '../teardown.ts'

/** One keep-alive connection that carries one request with events at a time and does as little as it can. */
export interface BatchConnection {
  /** True while an answer is awaited. */
  readonly isBusy: boolean
  /** Sends a body; calls back with the body of the answer. Throws when it is a refusal. */
  send(body: Buffer, done: (answer: string) => void): void
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

/** Where connections lead to. */
export interface ConnectionOptions {
  readonly url: string
  readonly apiKey: string
  readonly count: number
  /** The path of requests of another vendor's SDK; BatchCreate without it. */
  readonly path?: string
}

/** Opens connections to a service, closed by `teardown`. */
export async function openConnections(
  { url, apiKey, count, path }: ConnectionOptions,
  teardown: Teardown,
): Promise<readonly BatchConnection[]> {
  const { hostname, port } = new URL(url)
  const head = path === undefined ? requestHead(hostname, apiKey) : foreignHead(hostname, path)
  const open = (): Socket => connect({ host: hostname, port: Number(port), noDelay: true })
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const connection = new Connection(open, head)
      teardown.defer(async () => connection.close())
      await connection.opened
      return connection
    }),
  )
}

function requestHead(host: string, apiKey: string): string {
  return [
    'POST /sdk.events.v1.EventsService/BatchCreate HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    'connect-protocol-version: 1',
    `x-api-key: ${apiKey}`,
    'content-length: ',
  ].join('\r\n')
}

/** The user agent is of a browser, as some vendors tell visitors apart by it. */
function foreignHead(host: string, path: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: text/plain',
    'user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'content-length: ',
  ].join('\r\n')
}

const TAKEN = /^HTTP\/1\.1 20[024] /

class Connection implements BatchConnection {
  readonly #open: () => Socket
  readonly #head: string
  #socket: Socket
  #received = ''
  #done: ((answer: string) => void) | undefined

  constructor(open: () => Socket, head: string) {
    this.#open = open
    this.#head = head
    this.#socket = this.#listenTo(open())
  }

  /** Resolves when it is connected. */
  get opened(): Promise<void> {
    return new Promise((resolve, reject) => this.#socket.once('connect', resolve).once('error', reject))
  }

  close(): void {
    this.#done = undefined
    this.#socket.destroy()
  }

  #listenTo(socket: Socket): Socket {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#read(text))
    socket.once('close', () => {
      if (this.isBusy && socket === this.#socket)
        throw new Error('the service closed a connection before its answer')
    })
    return socket
  }

  get isBusy(): boolean {
    return this.#done !== undefined
  }

  send(body: Buffer, done: (answer: string) => void): void {
    // The service closes connections that are idle for some seconds, as while merges are waited for.
    if (!this.#socket.writable) this.#socket = this.#listenTo(this.#open())
    this.#done = done
    this.#received = ''
    this.#socket.write(Buffer.concat([Buffer.from(`${this.#head}${body.length}${HEAD_END}`), body]))
  }

  #read(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = this.#received.slice(0, headEnd)
    if (!TAKEN.test(head)) throw new Error(`the service refused a batch: ${this.#received}`)
    const bodyStart = headEnd + HEAD_END.length
    if (this.#received.length - bodyStart < Number(LENGTH.exec(head)?.[1] ?? 0)) return
    const done = this.#done
    this.#done = undefined
    done?.(this.#received.slice(bodyStart))
  }
}
