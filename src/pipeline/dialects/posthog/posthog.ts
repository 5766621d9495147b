import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type {
  Dialect,
  ForeignEventsRoute,
  ForeignHead,
  ForeignOutcome,
  ForeignRoute,
} from '../foreign/dialect.ts'
import type { ForeignResult } from '../foreign/foreign-batch.ts'
import { fieldOf, objectOf, textOf } from '../foreign/foreign-value.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { answerFixed } from './fixed-answers.ts'
import { type PosthogForm, readPosthogRequest } from './read-request.ts'

/** The SDKs of PostHog: `posthog-js` in browsers, `posthog-node` and the libraries of other languages. */
export const POSTHOG: Dialect = {
  name: 'posthog',
  route,
  readLibrary: (record) => {
    const properties = objectOf(fieldOf(record, 'properties'))
    const name = textOf(fieldOf(properties, '$lib'))
    return [name === 'web' ? 'posthog-js' : name, textOf(fieldOf(properties, '$lib_version'))]
  },
  readRequest: readPosthogRequest,
}

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
  const data = method === 'GET' ? query.get('data') : null
  const isBeacon = query.get('beacon') === '1'
  return {
    kind: 'events',
    form,
    listsResults: false,
    key: findPublicKey(query.get('api_key'), query.get('token')),
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
  const [, key] = /^Bearer\s+(\S+)$/i.exec(head.header('authorization') ?? '') ?? []
  const requestId = head.header(REQUEST_ID) ?? ''
  const echo = (answer: Answer): Answer =>
    PRINTABLE.test(requestId) ? { ...answer, headers: [...answer.headers, [REQUEST_ID, requestId]] } : answer
  return {
    kind: 'events',
    form: 'v1',
    listsResults: true,
    key: findPublicKey(key),
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
  return withRetryAfter(jsonAnswer(statusOf(error), body), error)
}

/** posthog-node halves a batch that is too large, and a body that is too large never becomes smaller. */
function statusOf(error: ServiceError): number {
  const { code } = error
  const isFinal = error.reason === 'BODY_TOO_LARGE'
  if (!isFinal && (code === 'resource_exhausted' || code === 'unavailable' || code === 'internal'))
    return RETRY_STATUS
  return statusOfRefusal(error)
}

function typeOf({ code }: ServiceError): string {
  if (code === 'unauthenticated' || code === 'permission_denied') return 'authentication_error'
  return code === 'invalid_argument' ? 'validation_error' : 'server_error'
}
