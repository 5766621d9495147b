import autocannon from 'autocannon'
import { monotonicMs } from '../../src/kernel/clock.ts'

/** A load of BatchCreate requests. */
export interface Load {
  /** Address of the service. */
  readonly url: string
  readonly apiKey: string
  readonly connections: number
  /** Requests in all, a multiple of the connections: every one of them is answered. */
  readonly requests: number
  readonly nextBody: () => Buffer
}

/** The service's answers to a load. */
export interface LoadOutcome {
  /** Events that were acknowledged. */
  readonly acknowledged: number
  readonly seconds: number
}

const REQUEST_TIMEOUT_SECONDS = 30

/** Sends a load from this process. Throws when a request is not answered with 200. */
export async function sendLoad(load: Load): Promise<LoadOutcome> {
  let acknowledged = 0
  const startMs = monotonicMs()
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    amount: load.requests,
    timeout: REQUEST_TIMEOUT_SECONDS,
    requests: [
      {
        method: 'POST',
        path: '/sdk.events.v1.EventsService/BatchCreate',
        headers: {
          'content-type': 'application/json',
          'connect-protocol-version': '1',
          'x-api-key': load.apiKey,
        },
        setupRequest: (request) => ({ ...request, body: load.nextBody() }),
        onResponse: (status, body) => {
          if (status === 200) acknowledged += readAccepted(body)
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
