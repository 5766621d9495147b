import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { parseRetryAfter } from '../../browser/src/retry-after.ts'

/** How a request ended. */
export type Answer =
  | { readonly kind: 'accepted'; readonly body: Readonly<Record<string, unknown>> }
  /** Sending the same again changes nothing; `index` is the event that the service names. */
  | { readonly kind: 'refused'; readonly message: string; readonly index: number | undefined }
  /** The same may be accepted later. */
  | {
      readonly kind: 'failed'
      readonly reason: 'unavailable' | 'unauthorized'
      readonly message: string
      readonly retryAfterMs: number
      readonly cause?: unknown
    }

/** Sends requests to a service. */
export interface Transport {
  /** Never rejects. */
  post(path: string, body: string): Promise<Answer>
  /** Ends what is under way, and fails everything from now on. */
  abort(): void
}

/** The service, the credential and the limits of a request. */
export interface TransportOptions {
  readonly url: string
  readonly key: string
  readonly compression: 'gzip' | 'none'
  readonly requestTimeoutMs: number
}

/** Smaller bodies fit one packet as they are. */
const GZIP_BYTES_MIN = 1024
/** The service answers with a few hundred bytes; something in front of it may answer with a page. */
const ANSWER_BYTES_MAX = 64 * 1024

const compress = promisify(gzip)

/** Creates the transport to a service. */
export function createTransport({ url, key, compression, requestTimeoutMs }: TransportOptions): Transport {
  const base = url.replace(/\/+$/, '')
  const underWay = new Set<AbortController>()
  let isAborted = false

  const send = async (path: string, text: string, signal: AbortSignal): Promise<Answer> => {
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-api-key': key }
    let body: string | Uint8Array<ArrayBuffer> = text
    if (compression === 'gzip' && text.length >= GZIP_BYTES_MIN) {
      body = await compress(text)
      headers['content-encoding'] = 'gzip'
    }
    // A redirection would send the key to another address.
    const response = await fetch(base + path, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const answer = parseObject(await readText(response))
    return response.status === 200 && answer
      ? { kind: 'accepted', body: answer }
      : readError(response, answer)
  }
  return {
    post: async (path, body) => {
      const controller = new AbortController()
      underWay.add(controller)
      const timer = setTimeout(() => controller.abort(), requestTimeoutMs)
      if (isAborted) controller.abort()
      try {
        return await send(path, body, controller.signal)
      } catch (cause) {
        const message = controller.signal.aborted ? 'no answer in time' : describeCause(cause)
        return { kind: 'failed', reason: 'unavailable', message, retryAfterMs: 0, cause }
      } finally {
        clearTimeout(timer)
        underWay.delete(controller)
      }
    },
    abort: () => {
      isAborted = true
      for (const controller of underWay) controller.abort()
    },
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readError(response: Response, answer: Readonly<Record<string, unknown>> | undefined): Answer {
  const { status, headers } = response
  const told = typeof answer?.message === 'string' ? answer.message : ''
  const message = told || (status === 200 ? 'the answer is not one of Millrace' : `status ${status}`)
  // Only the service itself refuses for good: an answer of something in front of it passes.
  if (answer && (status === 400 || status === 413 || (status === 429 && isTooLarge(answer)))) {
    const [, index] = /^events\[(\d+)\]/.exec(told) ?? []
    return { kind: 'refused', message, index: index === undefined ? undefined : Number(index) }
  }
  const reason = status === 401 || status === 403 ? 'unauthorized' : 'unavailable'
  return { kind: 'failed', reason, message, retryAfterMs: parseRetryAfter(headers.get('retry-after') ?? '') }
}

/** The reason is a text inside of an encoded message. */
function isTooLarge({ details }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(details)) return false
  return details.some(({ value }) => Buffer.from(String(value), 'base64').includes('BODY_TOO_LARGE'))
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // A page of a proxy, or another service.
    return undefined
  }
}

/** `fetch failed` alone tells nothing. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
