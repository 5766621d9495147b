import type { CustomFetch } from 'openid-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  requestFixedHost,
  requestOutbound,
} from '../../kernel/outbound/outbound-http.ts'

/** Deadline of one request to a provider. */
const TIMEOUT_MS = 5000

/** Far more than discovery documents, key sets and tokens have. */
const ANSWER_BYTES_MAX = 256 * 1024

/** Dependencies of requests to a provider. */
export interface ProviderFetchParts {
  readonly issuer: string
  /** For hosts that the discovery document names, which the settings do not. */
  readonly outbound: Outbound
  readonly clock: Clock
  /** Called with the difference between the provider's clock and this one, for each response that has a date. */
  readonly onClock: (differenceMs: number) => void
}

/**
 * The `fetch` of a provider, for `openid-client` and `jose`. The issuer's own host may have any address; all other hosts come
 * from its documents, and must have a public address, or one of `SERVICE_OUTBOUND_ALLOW`. Throws `OutboundError`.
 */
export function createProviderFetch({ issuer, outbound, clock, onClock }: ProviderFetchParts): CustomFetch {
  const ownHost = new URL(issuer).host
  return async (url, { method, headers, body, signal }) => {
    const request: OutboundRequest = {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers },
      body: textOf(body),
      timeoutMs: TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    }
    const until = signal ?? AbortSignal.timeout(TIMEOUT_MS)
    const answer =
      new URL(url).host === ownHost
        ? await requestFixedHost(request, until)
        : await requestOutbound(outbound, request, until)
    const dateMs = Date.parse(answer.headers.date ?? '')
    if (!Number.isNaN(dateMs)) onClock(dateMs - clock.nowMs())
    return toResponse(answer)
  }
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('a request to a provider has a body that is no text')
}

/** The statuses of which a `Response` may have no body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])

function toResponse({ status, headers, body }: OutboundAnswer): Response {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  // A status outside of these makes the constructor throw.
  const isShowable = status >= 200 && status <= 599
  return new Response(EMPTY_STATUSES.has(status) ? null : new Uint8Array(body), {
    status: isShowable ? status : 502,
    headers: new Headers(fields),
  })
}
