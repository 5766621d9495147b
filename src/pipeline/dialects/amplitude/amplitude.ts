import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { libraryOf } from './read-event.ts'
import { type AmplitudeForm, readAmplitudeRequest } from './read-request.ts'

/** The SDKs of Amplitude, and its HTTP and identify APIs. */
export const AMPLITUDE: Dialect = {
  name: 'amplitude',
  route,
  readLibrary: (record) => {
    const [name, version] = libraryOf(record).split('/')
    return [name, version]
  },
  readRequest: readAmplitudeRequest,
}

const FORMS: Readonly<Record<string, AmplitudeForm>> = {
  '/2/httpapi': 'events',
  '/batch': 'events',
  '/identify': 'identify',
  '/groupidentify': 'groups',
}

function route({ method, path, query, nowMs }: ForeignHead): ForeignRoute | undefined {
  const form = Object.hasOwn(FORMS, path) ? FORMS[path] : undefined
  if (form === undefined || method !== 'POST') return undefined
  const sent = query.get('identification')
  return {
    kind: 'events',
    form,
    listsResults: true,
    key: findPublicKey(query.get('api_key')),
    ...(sent === null ? {} : { bytes: Buffer.from(sent) }),
    accept: (outcome) => accept(outcome, nowMs),
    refuse,
  }
}

/** What cannot be stored is left out of the number: the SDKs would send a batch with it again and again. */
function accept({ results }: ForeignOutcome, nowMs: number): Answer {
  const ingested = results.filter(({ dropped }) => dropped === undefined)
  return jsonAnswer(200, { code: 200, events_ingested: ingested.length, server_upload_time: nowMs })
}

/**
 * The SDKs follow the code in the body rather than the status. They give up a batch whose key is invalid or that lacks a field, send it
 * again after 429 and 5xx, halve it after 413, and repeat every other error.
 */
function refuse(error: ServiceError): Answer {
  const code = codeOf(error)
  const isKey = error.code === 'unauthenticated' || error.code === 'permission_denied'
  const body = {
    code,
    error: isKey ? `Invalid API key: ${error.message}` : error.message,
    ...(code === 400 && !isKey ? { missing_field: 'events' } : {}),
    ...(code === 429 ? { throttled_events: [] } : {}),
  }
  return withRetryAfter(jsonAnswer(code, body), error)
}

function codeOf(error: ServiceError): number {
  const status = statusOfRefusal(error)
  return status === 401 || status === 403 || status === 415 ? 400 : status
}
