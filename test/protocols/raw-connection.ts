import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../harness/wait.ts'

/** Longer than the service keeps a connection on which nothing happens. */
const CLOSE_TIMEOUT_MS = 20_000

/** One HTTP/1.1 answer as it was on the wire. */
export interface RawAnswer {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A connection on which a test decides about every byte. */
export class RawConnection {
  readonly socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #isEnded = false
  readonly #ended: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
    })
    // A reset is a close too.
    socket.on('error', () => undefined)
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#isEnded = true
        resolve()
      }
      socket.once('end', end)
      socket.once('close', end)
    })
  }

  /** Connects to the port of an address. */
  static async open(url: string): Promise<RawConnection> {
    const { port } = new URL(url)
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true, noDelay: true })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Takes a connection over. */
  static over(socket: Socket): RawConnection {
    return new RawConnection(socket)
  }

  /** Everything that came so far. */
  get received(): Buffer {
    return this.#received
  }

  /** True when the other side sends no more. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Sends bytes; resolves when they are with the system. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.socket.destroyed) return
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    await new Promise<void>((resolve) => this.socket.write(chunk, () => resolve()))
  }

  /** Sends each byte in a separate packet. */
  async trickle(bytes: string | Buffer): Promise<void> {
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    for (let index = 0; index < all.length; index++) await this.write(all.subarray(index, index + 1))
  }

  /** Closes the sending half. */
  endWriting(): void {
    this.socket.end()
  }

  /** Waits for that many whole answers, and gives them in order. */
  async answers(count: number): Promise<readonly RawAnswer[]> {
    return await waitFor(`${count} answers, with ${JSON.stringify(this.#tail())} so far`, () => {
      const { answers } = parseAnswers(this.#received, this.#isEnded)
      return answers.length >= count ? answers : undefined
    })
  }

  /** Waits for one whole answer. */
  async answer(): Promise<RawAnswer> {
    const [answer] = await this.answers(1)
    if (!answer) throw new Error('no answer')
    return answer
  }

  /** Waits until the other side closed, and gives what it said before. Throws when that was no sequence of whole answers. */
  async untilClosed(): Promise<readonly RawAnswer[]> {
    await this.untilEnded()
    const { answers, rest } = parseAnswers(this.#received, true)
    if (rest > 0) throw new Error(`${rest} bytes are no whole answer: ${JSON.stringify(this.#tail())}`)
    return answers
  }

  /** Waits until the other side closed, after any answer. */
  async untilEnded(): Promise<void> {
    await Promise.race([this.#ended, expire(CLOSE_TIMEOUT_MS)])
    this.close()
  }

  /** Lets go of the connection. */
  close(): void {
    this.socket.destroy()
  }

  #tail(): string {
    return this.#received.subarray(-200).toString('latin1')
  }
}

/** Opens a connection, sends bytes, and leaves the rest to the test. */
export async function send(url: string, bytes: string | Buffer): Promise<RawConnection> {
  const connection = await RawConnection.open(url)
  await connection.write(bytes)
  return connection
}

/** A request in HTTP/1.1; `content-length` is added unless a header frames the body. */
export function request(
  line: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const names = Object.keys(headers)
  const isFramed = names.includes('content-length') || names.includes('transfer-encoding')
  const all = {
    host: 'localhost',
    ...headers,
    ...(isFramed ? {} : { 'content-length': String(bytes.length) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** A whole body as one chunk and the last one. */
export function chunked(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** Whole answers at the start of bytes, and the number of bytes left over. Throws on bytes that are not an answer. */
export function parseAnswers(
  bytes: Buffer,
  isEnded: boolean,
): { readonly answers: readonly RawAnswer[]; readonly rest: number } {
  const answers: RawAnswer[] = []
  let offset = 0
  while (offset < bytes.length) {
    const one = parseAnswer(bytes.subarray(offset), isEnded)
    if (one === undefined) break
    // An interim answer is followed by the real one.
    if (one.answer.status >= 200) answers.push(one.answer)
    offset += one.length
  }
  return { answers, rest: bytes.length - offset }
}

function parseAnswer(
  bytes: Buffer,
  isEnded: boolean,
): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [line = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? []
  if (status === undefined) throw new Error(`not an answer: ${JSON.stringify(line)}`)
  const headers = Object.fromEntries(
    lines.map((text) => {
      const colon = text.indexOf(':')
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()]
    }),
  )
  const body = readBody(bytes.subarray(headEnd + 4), Number(status), headers, isEnded)
  if (body === undefined) return undefined
  const answer = { status: Number(status), headers, body: body.text }
  return { answer, length: headEnd + 4 + body.length }
}

interface RawBody {
  readonly text: string
  readonly length: number
}

function readBody(
  bytes: Buffer,
  status: number,
  headers: Readonly<Record<string, string>>,
  isEnded: boolean,
): RawBody | undefined {
  if (status < 200 || status === 204) return { text: '', length: 0 }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes)
  const length = headers['content-length']
  if (length === undefined) return isEnded ? { text: bytes.toString(), length: bytes.length } : undefined
  if (bytes.length < Number(length)) return undefined
  return { text: bytes.subarray(0, Number(length)).toString(), length: Number(length) }
}

function readChunks(bytes: Buffer): RawBody | undefined {
  let text = ''
  let offset = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', offset)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.subarray(offset, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return undefined
    text += bytes.subarray(lineEnd + 2, end - 2).toString()
    offset = end
    if (size === 0) return { text, length: offset }
  }
}

async function expire(timeoutMs: number): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false })
  throw new Error('the connection is still open')
}
