import type { Socket } from 'node:net'
import { encodeFrame, FLAG, FRAME, OPENING, PREFACE } from '../protocols/http2-frames.ts'
import { openSocket } from './client.ts'

/** Types of frames that only an attack sends. */
export const ODD_FRAME = { priority: 2, pushPromise: 5, continuation: 9 } as const

const HEAD_BYTES = 9

/** An HTTP/2 connection of which every frame is decided here. */
export class RawHttp2 {
  readonly socket: Socket
  /** Frames that came, by the number of their type; payloads are not kept. */
  readonly frames = new Map<number, number>()
  /** The status of each stream of which the server sent a head. */
  readonly statuses = new Map<number, number>()
  isClosed = false
  #rest: Buffer = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    const end = (): void => {
      this.isClosed = true
      socket.destroy()
    }
    socket.once('end', end).once('close', end)
  }

  /** Connects and sends the preface; `settings` are pairs of identifier and value. */
  static async open(
    url: string,
    from: string,
    settings: readonly (readonly [id: number, value: number])[] = [],
  ): Promise<RawHttp2> {
    const connection = new RawHttp2(await openSocket(url, from))
    if (settings.length === 0) await connection.write(OPENING)
    else {
      const payload = Buffer.alloc(6 * settings.length)
      settings.forEach(([id, value], index) => {
        payload.writeUInt16BE(id, 6 * index)
        payload.writeUInt32BE(value, 6 * index + 2)
      })
      await connection.write(
        Buffer.concat([PREFACE, encodeFrame({ type: FRAME.settings, flags: 0, stream: 0, payload })]),
      )
    }
    await connection.write(
      encodeFrame({ type: FRAME.settings, flags: FLAG.ack, stream: 0, payload: Buffer.alloc(0) }),
    )
    return connection
  }

  /** Sends bytes; resolves when they are with the system, or a second later. */
  async write(bytes: Buffer): Promise<void> {
    if (this.socket.destroyed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000)
      this.socket.write(bytes, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Sends a frame. */
  async frame(type: number, stream: number, payload: Buffer = Buffer.alloc(0), flags = 0): Promise<void> {
    await this.write(encodeFrame({ type, flags, stream, payload }))
  }

  /** Lets go of the connection. */
  close(): void {
    this.socket.destroy()
  }

  #read(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (bytes.length >= HEAD_BYTES) {
      const length = bytes.readUIntBE(0, 3)
      if (bytes.length < HEAD_BYTES + length) break
      const type = bytes.readUInt8(3)
      this.frames.set(type, (this.frames.get(type) ?? 0) + 1)
      if (type === FRAME.headers) {
        const block = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length)
        this.statuses.set(bytes.readUInt32BE(5), readStatus(block))
      }
      bytes = bytes.subarray(HEAD_BYTES + length)
    }
    this.#rest = bytes
  }
}

/** Statuses of the static table, RFC 7541 appendix A. */
const INDEXED: ReadonlyMap<number, number> = new Map([
  [0x88, 200],
  [0x89, 204],
  [0x8a, 206],
  [0x8b, 304],
  [0x8c, 400],
  [0x8d, 404],
  [0x8e, 500],
])

const HUFFMAN_DIGITS = [
  '00000',
  '00001',
  '00010',
  '011001',
  '011010',
  '011011',
  '011100',
  '011101',
  '011110',
  '011111',
]

/** The status, which is the first field of every head: indexed, or three digits in Huffman's code or as they are. */
function readStatus(block: Buffer): number {
  const indexed = INDEXED.get(block[0] ?? 0)
  if (indexed !== undefined) return indexed
  const length = block[1] ?? 0
  const text = block.subarray(2, 2 + (length & 0x7f))
  if ((length & 0x80) === 0) return Number(text.toString('latin1'))
  let bits = [...text].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  let status = 0
  for (let place = 0; place < 3; place++) {
    const digit = HUFFMAN_DIGITS.findIndex((code) => bits.startsWith(code))
    bits = bits.slice(HUFFMAN_DIGITS[digit]?.length ?? 0)
    status = 10 * status + digit
  }
  return status
}

/** A block of headers, each a literal without indexing, of values of any length. */
export function encodeFields(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), encodeText(name), encodeText(value)]),
  )
}

/** The head of a call. */
export function callFields(
  path: string,
  more: readonly (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'localhost'],
    ['content-type', 'application/json'],
    ...more,
  ]
}

/** A head as one frame. */
export function headFrame(stream: number, block: Buffer, flags: number = FLAG.endHeaders): Buffer {
  return encodeFrame({ type: FRAME.headers, flags, stream, payload: block })
}

/** RFC 7541 section 5.2, without Huffman. */
function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const length = [127]
  let rest = bytes.length - 127
  while (rest >= 128) {
    length.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  length.push(rest)
  return Buffer.concat([Buffer.from(length), bytes])
}
