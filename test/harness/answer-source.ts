import { createServer as createHttp1Server, type Server as Http1Server } from 'node:http'
import { createServer as createHttp2Server, type Http2Server } from 'node:http2'
import { Readable } from 'node:stream'
import { Front } from '../../src/edge/front/front.ts'
import { Prng } from '../../src/kernel/prng.ts'

/** An answer that a test requests; each combination has its own bytes. */
export interface AskedAnswer {
  readonly size: number
  readonly seed: number
  /** Whether its head has its length. */
  readonly isSized: boolean
}

/** Its length has no divisor with sizes of buffers, so that no two pieces of an answer are alike. */
const PATTERN_BYTES = 1_000_003
const PIECE_BYTES_MAX = 96 * 1024

const pattern = randomBytes(PATTERN_BYTES)

/** The body of an answer. */
export function bodyOf({ size, seed }: AskedAnswer): Buffer {
  if (size === 0) return Buffer.alloc(0)
  const start = seed % PATTERN_BYTES
  return Buffer.alloc(size, Buffer.concat([pattern.subarray(start), pattern.subarray(0, start)]))
}

/** The path of an answer. */
export function pathOf({ size, seed, isSized }: AskedAnswer): string {
  return `/x.v1.XService/Ask?size=${size}&seed=${seed}&sized=${isSized}`
}

/** Stands in for the query process: answers with the requested number of bytes, in pieces of any length. */
export class AnswerSource {
  readonly #http1: Http1Server
  readonly #http2: Http2Server
  readonly #front: Front
  #url = ''

  private constructor() {
    this.#http1 = createHttp1Server((request, response) => {
      const asked = readAsked(request.url ?? '')
      request.resume().once('end', () => {
        response.writeHead(200, asked.isSized ? { 'content-length': String(asked.size) } : {})
        Readable.from(piecesOf(asked)).pipe(response)
      })
    })
    this.#http2 = createHttp2Server()
    this.#http2.on('stream', (stream, headers) => {
      const asked = readAsked(headers[':path'] ?? '')
      stream.on('error', () => undefined)
      stream.resume().once('end', () => {
        stream.respond({ ':status': 200 }, { waitForTrailers: true })
        stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
        Readable.from(piecesOf(asked)).pipe(stream)
      })
    })
    this.#front = new Front({
      http1: ({ socket }) => {
        this.#http1.emit('connection', socket)
        socket.resume()
      },
      http2: ({ socket }) => this.#http2.emit('connection', socket),
      isTrustedPeer: () => false,
    })
  }

  /** Listens. */
  static async open(): Promise<AnswerSource> {
    const source = new AnswerSource()
    source.#url = `http://127.0.0.1:${await source.#front.listen('127.0.0.1', 0)}`
    return source
  }

  /** Where both versions of HTTP are spoken. */
  get url(): string {
    return this.#url
  }

  /** Closes everything. */
  close(): void {
    this.#front.close()
  }
}

function readAsked(target: string): AskedAnswer {
  const { searchParams } = new URL(target, 'http://localhost')
  const number = (name: string): number => Number(searchParams.get(name))
  return { size: number('size'), seed: number('seed'), isSized: searchParams.get('sized') === 'true' }
}

function* piecesOf(asked: AskedAnswer): Generator<Buffer> {
  const body = bodyOf(asked)
  const random = new Prng(asked.seed)
  for (let offset = 0; offset < body.length; ) {
    const end = offset + 1 + random.below(PIECE_BYTES_MAX)
    yield body.subarray(offset, end)
    offset = end
  }
}

function randomBytes(length: number): Buffer {
  const random = new Prng(length)
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}
