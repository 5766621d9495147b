import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import { HTTP_STATUS } from '../../../rpc/connect-error-wire.ts'
import type {
  Dialect,
  ForeignEventsRoute,
  ForeignHead,
  ForeignOutcome,
  ForeignRoute,
} from '../foreign/dialect.ts'
import type { ForeignResult } from '../foreign/foreign-batch.ts'
import { answerFixed } from './fixed-answers.ts'
import { type PosthogForm, readPosthogRequest } from './read-request.ts'

/** The SDKs of PostHog: `posthog-js` in browsers, `posthog-node` and the libraries of other languages. */
export const POSTHOG: Dialect = { name: 'posthog', route, readRequest: readPosthogRequest }

/** The paths of requests that send events. */
const FORMS: Readonly<Record<string, PosthogForm>> = {
  '/e': 'capture',
  '/i/v0/e': 'capture',
  '/capture': 'capture',
  '/track': 'capture',
  '/batch': 'capture',
  '/engage': 'engage',
  '/s': 'recordings',
  '/i/v1/analytics/events': 'v1',
}

/** Errors after which posthog-js sends again; it drops the events at 429 and every other 4xx. */
const RETRY_STATUS = 503

/** The beginning of public keys: private ones are refused in every place that a page contains. */
const PUBLIC_PREFIX = 'pub_'

const REQUEST_ID = 'posthog-request-id'
const PRINTABLE = /^[\x21-\x7e]{1,200}$/

function route(head: ForeignHead): ForeignRoute | undefined {
  const form = Object.hasOwn(FORMS, head.path) ? FORMS[head.path] : undefined
  if (form === undefined) {
    const answer = answerFixed(head)
    return answer && { kind: 'fixed', answer }
  }
  if (form === 'v1') return routeV1(head)
  return routeV0(head, form)
}

function routeV0(head: ForeignHead, form: PosthogForm): ForeignEventsRoute {
  const { method, query } = head
  const key = query.get('api_key') ?? query.get('token') ?? ''
  const data = method === 'GET' ? query.get('data') : null
  const isBeacon = query.get('beacon') === '1'
  return {
    kind: 'events',
    form,
    listsResults: false,
    key: key.startsWith(PUBLIC_PREFIX) ? key : '',
    ...(method === 'GET' ? { bytes: Buffer.from((data ?? '').replaceAll(' ', '+')) } : {}),
    accept: () => (isBeacon ? { status: 204, headers: [], body: '' } : jsonAnswer(200, { status: 1 })),
    refuse: (error) =>
      refuse(error, {
        type: typeOf(error),
        code: error.reason.toLowerCase(),
        detail: error.message,
        attr: null,
      }),
  }
}

function routeV1(head: ForeignHead): ForeignEventsRoute {
  const [, key = ''] = /^Bearer\s+(\S+)$/i.exec(head.header('authorization') ?? '') ?? []
  const requestId = head.header(REQUEST_ID) ?? ''
  const echo = (answer: Answer): Answer =>
    PRINTABLE.test(requestId) ? { ...answer, headers: [...answer.headers, [REQUEST_ID, requestId]] } : answer
  return {
    kind: 'events',
    form: 'v1',
    listsResults: true,
    key: key.startsWith(PUBLIC_PREFIX) ? key : '',
    accept: (outcome) => echo(jsonAnswer(200, { results: resultsOf(outcome) })),
    refuse: (error) =>
      echo(refuse(error, { error: error.reason.toLowerCase(), error_description: error.message })),
  }
}

function resultsOf({ results }: ForeignOutcome): Record<string, object> {
  return Object.fromEntries(results.map((result) => [result.id, resultOf(result)]))
}

function resultOf({ dropped, changes }: ForeignResult): object {
  if (dropped !== undefined) return { result: 'drop', details: dropped }
  return changes.length === 0 ? { result: 'ok' } : { result: 'warning', details: changes.join(', ') }
}

function refuse(error: ServiceError, body: object): Answer {
  const { retryAfterSeconds } = error
  const answer = jsonAnswer(statusOf(error), body)
  if (retryAfterSeconds === undefined) return answer
  return { ...answer, headers: [...answer.headers, ['retry-after', String(retryAfterSeconds)]] }
}

function statusOf({ code, reason }: ServiceError): number {
  // A body that is too large never becomes smaller; posthog-node halves its batch at this status.
  if (reason === 'BODY_TOO_LARGE') return 413
  if (reason === 'UNSUPPORTED_ENCODING') return 415
  if (code === 'resource_exhausted' || code === 'unavailable' || code === 'internal') return RETRY_STATUS
  return HTTP_STATUS[code]
}

function typeOf({ code }: ServiceError): string {
  if (code === 'unauthenticated' || code === 'permission_denied') return 'authentication_error'
  return code === 'invalid_argument' ? 'validation_error' : 'server_error'
}
