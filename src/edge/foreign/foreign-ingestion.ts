import { ServiceError } from '../../contract/service-error.ts'
import { ok } from '../../kernel/result.ts'
import { DIALECTS } from '../../pipeline/dialects/dialects.ts'
import type { Dialect, ForeignEventsRoute } from '../../pipeline/dialects/foreign/dialect.ts'
import { findKey } from '../../pipeline/dialects/foreign/find-key.ts'
import { bodyFormOf } from '../../pipeline/dialects/foreign/unwrap-body.ts'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import { type Coding, parseCoding } from '../../rpc/coding.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { everyPathBelow } from '../../rpc/router.ts'
import { SenderOfBody } from '../client-facts.ts'
import type { BodyOutcome, EdgeMethod, Exchange, RequestHead } from '../exchange.ts'
import { copyOf, IngestionCall, type IngestionParts, RequestRecorder } from '../ingestion-call.ts'
import { invalidApiKey, overloaded, unreadBody } from '../refusals.ts'
import { dialectCors, dialectPreflight, ForeignCall } from './foreign-call.ts'
import { ForeignEvents, type ForeignEventsParts } from './foreign-events.ts'

/** Dependencies of the dialects. */
export interface DialectOptions extends IngestionParts, ForeignEventsParts {
  readonly bodyBytesMax: number
  /** Whether this process ends TLS. */
  readonly hasTls: boolean
  /** Whether the process holds as many bodies as it may, or rows that cannot be stored. */
  readonly isOverloaded: () => boolean
}

/** The methods of all dialects, by the path of their route. */
export function openDialects(options: DialectOptions): ReadonlyMap<string, EdgeMethod> {
  return new Map(
    Object.values<Dialect>(DIALECTS).flatMap((dialect) => {
      const method = new ForeignIngestion(dialect, options)
      return [dialect.name, ...(dialect.rootElements ?? [])].map(
        (element) => [everyPathBelow(element), method] as const,
      )
    }),
  )
}

/** Serves the SDKs of one vendor: the answers that they need before they send, and their events. */
class ForeignIngestion implements EdgeMethod {
  readonly #dialect: Dialect
  readonly #options: DialectOptions
  readonly #events: ForeignEvents
  #lastMicros = 0

  constructor(dialect: Dialect, options: DialectOptions) {
    this.#dialect = dialect
    this.#options = options
    this.#events = new ForeignEvents(dialect.name, options)
  }

  serve(head: RequestHead, exchange: Exchange): void {
    const origin = head.header('origin') ?? ''
    const method = head.method.toUpperCase()
    if (method === 'OPTIONS')
      return exchange.answer(dialectPreflight(origin, head.header('access-control-request-headers') ?? ''))
    const path = pathBelow(head.path, this.#dialect.name)
    const recorder = new RequestRecorder(`/${this.#dialect.name}/events`, head)
    const requestId = chooseRequestId(head.header(REQUEST_ID_HEADER))
    recorder.identify(requestId)
    const cors = dialectCors(origin)
    const query = new URLSearchParams(head.query)
    const { clock, hasTls } = this.#options
    const nowMs = clock.nowMs()
    const route = this.#dialect.route({
      method,
      path,
      query,
      nowMs,
      hasTls,
      header: (name) => head.header(name),
    })
    if (route?.kind === 'events')
      return this.#readEvents({
        route,
        call: new ForeignCall(route, requestId, cors),
        head,
        exchange,
        recorder,
      })
    recorder.end(route ? 'ok' : 'not_found')
    const answer = withHeaders(route?.answer ?? NOT_FOUND, [[REQUEST_ID_HEADER, requestId], ...cors])
    exchange.readBody(0, () => exchange.answer(answer))
  }

  #readEvents(received: ReceivedEvents): void {
    const { route, head, exchange } = received
    const { bodyBytesMax, clients, isOverloaded } = this.#options
    const coding = parseCoding(head.header('content-encoding') ?? '')
    const refuse = (error: ServiceError): void => this.#refuse(received, error)
    if (!coding.ok) return exchange.readBody(0, () => refuse(coding.error))
    if (isOverloaded()) return exchange.readBody(0, () => refuse(overloaded()))
    const { bytes } = route
    if (bytes) return exchange.readBody(0, () => this.#take(received, bytes, 'identity'))
    const take = (outcome: BodyOutcome): void => {
      if ('body' in outcome) this.#take(received, outcome.body, coding.value)
      else refuse(unreadBody(outcome.refused, bodyBytesMax))
    }
    exchange.readBody(bodyBytesMax, take, new SenderOfBody(route.key, head, clients))
  }

  /** The key may be inside the body, so that it is known only now. */
  #take(received: ReceivedEvents, body: Buffer, sent: Coding): void {
    const { route, head, call, exchange, recorder } = received
    const { keys, bodyBytesMax } = this.#options
    const coding = codingOf(body, sent)
    const found = route.key === '' ? findKey(body, coding, bodyBytesMax) : ok(route.key)
    if (!found.ok) return this.#refuse(received, found.error)
    const key = found.value
    if (key === '') return this.#refuse(received, missingKey())
    const grant = keys.peek(key)
    if (grant === null) return this.#refuse(received, invalidApiKey(key))
    const message = { bytes: body, coding }
    const receivedMicros = this.#receive()
    const admitted = new ForeignCall({ ...route, key }, call.requestId, call.cors)
    const pending = new IngestionCall(this.#events, this.#options, {
      call: admitted,
      key,
      head,
      exchange,
      recorder,
      receivedMicros,
    })
    if (grant) pending.submit(grant, message)
    else void pending.lookUp(copyOf(message))
  }

  #refuse({ call, exchange, recorder, route }: ReceivedEvents, error: ServiceError): void {
    this.#events.countRejection(error.reason)
    const { keys, warnings } = this.#options
    const grant = route.key === '' ? undefined : keys.peek(route.key)
    if (grant)
      warnings.noteRejection({ projectId: grant.projectId, dialect: this.#dialect.name }, error.reason)
    recorder.end(error.code)
    exchange.answer(call.fail(error))
  }

  /** Strictly increasing, so that of two writes in a row the second one is the last. */
  #receive(): number {
    this.#lastMicros = Math.max(this.#lastMicros + 1, this.#options.clock.nowMs() * 1000)
    return this.#lastMicros
  }
}

/** A request that sends events, before its body. */
interface ReceivedEvents {
  readonly route: ForeignEventsRoute
  readonly call: ForeignCall
  readonly head: RequestHead
  readonly exchange: Exchange
  readonly recorder: RequestRecorder
}

const NOT_FOUND: Answer = {
  status: 404,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: 'Nothing is served at this path.\n',
}

function withHeaders(answer: Answer, headers: readonly HeaderField[]): Answer {
  return { ...answer, headers: [...answer.headers, ...headers] }
}

/** The path below the prefix of the dialect, if it has one, without repeated slashes and without one at the end. */
function pathBelow(path: string, name: string): string {
  const below = path.startsWith(`/${name}/`) ? path.slice(name.length + 1) : path
  return below.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
}

/** gzip counts as gzip whether or not a header says so: tasks are weighed by it. */
function codingOf(body: Buffer, sent: Coding): Coding {
  if (sent === 'br' || sent === 'zstd') return sent
  return bodyFormOf(body) === 'gzip' ? 'gzip' : 'identity'
}

function missingKey(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_API_KEY',
    message:
      'the request has no public key of a project where the SDK has its token; public keys begin with pub_',
  })
}
