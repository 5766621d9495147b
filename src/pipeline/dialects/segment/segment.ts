import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignRoute } from '../foreign/dialect.ts'
import { fieldOf, objectOf, textOf } from '../foreign/foreign-value.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { answerFixed } from './fixed-answers.ts'
import { readSegmentRequest, type SegmentForm } from './read-request.ts'

/** The SDKs of Segment and RudderStack. Segment's Node SDK drops the path of its host, so its paths are at the root too. */
export const SEGMENT: Dialect = {
  name: 'segment',
  rootElements: ['v1'],
  route,
  readLibrary: (record) => {
    const library = objectOf(fieldOf(objectOf(fieldOf(record, 'context')), 'library'))
    return [textOf(fieldOf(library, 'name')), textOf(fieldOf(library, 'version'))]
  },
  readRequest: readSegmentRequest,
}

/** The last elements of the paths of requests that send events: those of servers, and the short ones of browsers. */
const FORMS: Readonly<Record<string, SegmentForm>> = {
  batch: 'batch',
  b: 'batch',
  import: 'batch',
  track: 'track',
  t: 'track',
  identify: 'identify',
  i: 'identify',
  page: 'page',
  p: 'page',
  screen: 'screen',
  s: 'screen',
  group: 'group',
  g: 'group',
  alias: 'alias',
  a: 'alias',
  merge: 'merge',
}

const EVENTS_PATH = /^\/(?:beacon\/)?v1\/([a-z]+)$/

function route(head: ForeignHead): ForeignRoute | undefined {
  const [, element = ''] = EVENTS_PATH.exec(head.path) ?? []
  const form = Object.hasOwn(FORMS, element) ? FORMS[element] : undefined
  if (form === undefined || head.method !== 'POST') {
    const answer = answerFixed(head)
    return answer && { kind: 'fixed', answer }
  }
  return {
    kind: 'events',
    form,
    listsResults: false,
    key: readKey(head),
    accept: () => jsonAnswer(200, { success: true }),
    refuse,
  }
}

/** The key is the user of Basic authentication, whose password is empty; beacons have it in their query. */
function readKey({ header, query }: ForeignHead): string {
  const [, credentials] = /^Basic\s+([A-Za-z0-9+/=_-]{1,1000})$/i.exec(header('authorization') ?? '') ?? []
  const [user = ''] = Buffer.from(credentials ?? '', 'base64')
    .toString('latin1')
    .split(':')
  return findPublicKey(user, query.get('writeKey'))
}

/** The SDKs send again after 429 and 5xx, and drop what another error refuses. */
function refuse(error: ServiceError): Answer {
  const { code, message } = error
  return withRetryAfter(jsonAnswer(statusOfRefusal(error), { success: false, code, message }), error)
}
