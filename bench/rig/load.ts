import autocannon from 'autocannon'
import { monotonicMs } from '../../src/kernel/clock.ts'

/** Where requests go, and what else their heads say. */
export interface Target {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Events of each request, for answers that do not count them. */
  readonly requestEvents?: number
}

/** A load of requests with events. */
export interface Load {
  /** Address of the service. */
  readonly url: string
  readonly target: Target
  readonly connections: number
  /** Requests in all, a multiple of the connections: every one of them is answered. */
  readonly requests: number
  readonly nextBody: () => Buffer
  /** The browsers of the requests, in turn; without them no request names one. */
  readonly userAgents?: readonly string[]
  /** The API keys of the requests, in turn, in place of that of the target. */
  readonly keys?: readonly string[]
}

const BATCH_CREATE = '/sdk.events.v1.EventsService/BatchCreate'

/** The target of BatchCreate requests in JSON. */
export function batchCreate(apiKey: string): Target {
  return { path: BATCH_CREATE, headers: connectHeaders('application/json', apiKey) }
}

/** The target of BatchCreate requests in binary form, with so many events each. */
export function batchCreateBinary(apiKey: string, requestEvents: number): Target {
  return { path: BATCH_CREATE, headers: connectHeaders('application/proto', apiKey), requestEvents }
}

function connectHeaders(type: string, apiKey: string): Target['headers'] {
  return { 'content-type': type, 'connect-protocol-version': '1', 'x-api-key': apiKey }
}

/** The service's answers to a load. */
export interface LoadOutcome {
  /** Events that were acknowledged. */
  readonly acknowledged: number
  readonly seconds: number
}

const REQUEST_TIMEOUT_SECONDS = 30

/** Sends a load from this process. Throws when a request is not answered with 200. */
export async function sendLoad({ target, userAgents = [], keys = [], ...load }: Load): Promise<LoadOutcome> {
  let acknowledged = 0
  let sent = 0
  const startMs = monotonicMs()
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    amount: load.requests,
    timeout: REQUEST_TIMEOUT_SECONDS,
    requests: [
      {
        method: 'POST',
        path: target.path,
        headers: target.headers,
        setupRequest: (request) => {
          const userAgent = userAgents[sent % userAgents.length]
          const key = keys[sent++ % keys.length]
          const headers = {
            ...request.headers,
            ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
            ...(key === undefined ? {} : { 'x-api-key': key }),
          }
          return { ...request, headers, body: load.nextBody() }
        },
        onResponse: (status, body) => {
          if (status === 200) acknowledged += target.requestEvents ?? readAccepted(body)
        },
      },
    ],
  })
  const seconds = (monotonicMs() - startMs) / 1000
  const { errors, timeouts, non2xx } = result
  if (errors + timeouts + non2xx === 0) return { acknowledged, seconds }
  throw new Error(`${errors} requests failed, ${timeouts} timed out, ${non2xx} were refused`)
}

function readAccepted(body: string): number {
  const answer: { readonly accepted?: number } = JSON.parse(body)
  return answer.accepted ?? 0
}
