import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import { fieldOf, objectOf, textOf } from '../foreign/foreign-value.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { answerFixed } from './fixed-answers.ts'
import { type MixpanelForm, placeOfItem, readMixpanelRequest } from './read-request.ts'

/** The SDKs of Mixpanel. */
export const MIXPANEL: Dialect = {
  name: 'mixpanel',
  route,
  readLibrary: (record) => {
    const properties = objectOf(fieldOf(record, 'properties'))
    const name = textOf(fieldOf(properties, 'mp_lib'))
    return [name && nameOfLibrary(name), textOf(fieldOf(properties, '$lib_version'))]
  },
  readRequest: readMixpanelRequest,
}

/** Mixpanel's libraries name themselves by their language; in Node.js the package has no suffix. */
function nameOfLibrary(name: string): string {
  if (name === 'web') return 'mixpanel-browser'
  return name === 'node' ? 'mixpanel' : `mixpanel-${name}`
}

function route(head: ForeignHead): ForeignRoute | undefined {
  const form = formOf(head)
  if (form === undefined) {
    const answer = answerFixed(head)
    return answer && { kind: 'fixed', answer }
  }
  const { method, query } = head
  const isStrict = form === 'import' && query.get('strict') === '1'
  const data = query.get('data')
  return {
    kind: 'events',
    form,
    listsResults: isStrict,
    key: readKey(head),
    ...(method === 'GET' || data !== null ? { bytes: bytesOfQuery(data ?? '') } : {}),
    accept: isStrict ? acceptStrictly : () => accept(query.get('verbose') === '1'),
    refuse: form === 'import' ? refuseImport : refuse,
  }
}

/** The form of a request by its path. Only a request that says so is sent from where the user is. */
function formOf({ path, method, query }: ForeignHead): MixpanelForm | undefined {
  if (method !== 'POST' && method !== 'GET') return undefined
  switch (path) {
    case '/track':
      return query.get('ip') === '1' ? 'track-on-device' : 'track'
    case '/import':
      return 'import'
    case '/engage':
      return 'engage'
    case '/groups':
      return 'groups'
    default:
      return undefined
  }
}

/** Most SDKs have the key in each event; `/import` has it in the query, or as the user of Basic authentication. */
function readKey({ header, query }: ForeignHead): string {
  const [, credentials] = /^Basic\s+([A-Za-z0-9+/=_-]{1,1000})$/i.exec(header('authorization') ?? '') ?? []
  const [user = ''] = Buffer.from(credentials ?? '', 'base64')
    .toString('latin1')
    .split(':')
  return findPublicKey(user, query.get('api_key'), query.get('token'))
}

/** The events of a query. Plus signs of base64 that are not encoded arrive as blanks. */
function bytesOfQuery(data: string): Buffer {
  return Buffer.from(/^\s*[[{]/.test(data) ? data : data.replaceAll(' ', '+'))
}

/** mixpanel-node compares the text with `1`. */
function accept(isVerbose: boolean): Answer {
  if (isVerbose) return jsonAnswer(200, { status: 1, error: null })
  return { status: 200, headers: [['content-type', 'text/plain; charset=utf-8']], body: '1' }
}

/** The answer to an import lists what was dropped; the rest is stored either way. */
function acceptStrictly({ results }: ForeignOutcome): Answer {
  const failed = results.flatMap(({ id, dropped }) => {
    if (dropped === undefined) return []
    const { index, insertId } = placeOfItem(id)
    return [{ index, insert_id: insertId, field: '', message: `the event is dropped: ${dropped}` }]
  })
  const count = { num_records_imported: results.length - failed.length }
  if (failed.length === 0) return jsonAnswer(200, { code: 200, ...count, status: 'OK' })
  const error = 'some data points in the request failed validation'
  return jsonAnswer(400, { code: 400, error, ...count, status: 'Bad Request', failed_records: failed })
}

/** The SDK of browsers sends again after 429 and 5xx, and drops what another error refuses. */
function refuse(error: ServiceError): Answer {
  return withRetryAfter(jsonAnswer(statusOfRefusal(error), { status: 0, error: error.message }), error)
}

function refuseImport(error: ServiceError): Answer {
  const code = statusOfRefusal(error)
  return withRetryAfter(jsonAnswer(code, { code, error: error.message, status: error.code }), error)
}
