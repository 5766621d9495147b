import { connect, type Socket } from 'node:net'
import type { Teardown } from '../teardown.ts'

/** One keep-alive connection that carries one BatchCreate at a time and does as little as it can. */
export interface BatchConnection {
  /** True while an answer is awaited. */
  readonly isBusy: boolean
  /** Sends a body; calls back with the body of the answer. Throws when it is not a 200. */
  send(body: Buffer, done: (answer: string) => void): void
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

/** Opens connections to a service, closed by `teardown`. */
export async function openConnections(
  { url, apiKey, count }: { readonly url: string; readonly apiKey: string; readonly count: number },
  teardown: Teardown,
): Promise<readonly BatchConnection[]> {
  const { hostname, port } = new URL(url)
  const head = requestHead(hostname, apiKey)
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      teardown.defer(async () => void socket.destroy())
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
      return new Connection(socket, head)
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

class Connection implements BatchConnection {
  readonly #socket: Socket
  readonly #head: string
  #received = ''
  #done: ((answer: string) => void) | undefined

  constructor(socket: Socket, head: string) {
    this.#socket = socket
    this.#head = head
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#read(text))
    socket.once('close', () => {
      if (this.isBusy) throw new Error('the service closed a connection before its answer')
    })
  }

  get isBusy(): boolean {
    return this.#done !== undefined
  }

  send(body: Buffer, done: (answer: string) => void): void {
    this.#done = done
    this.#received = ''
    this.#socket.write(Buffer.concat([Buffer.from(`${this.#head}${body.length}${HEAD_END}`), body]))
  }

  #read(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = this.#received.slice(0, headEnd)
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`the service refused a batch: ${this.#received}`)
    const bodyStart = headEnd + HEAD_END.length
    if (this.#received.length - bodyStart < Number(LENGTH.exec(head)?.[1] ?? 0)) return
    const done = this.#done
    this.#done = undefined
    done?.(this.#received.slice(bodyStart))
  }
}
