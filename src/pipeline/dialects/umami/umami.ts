import { NO_SESSION } from '../../../contract/ids.ts'
import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { readUmamiRequest, type UmamiForm } from './read-request.ts'

/** The tracker of Umami and `@umami/node`. They have no key, so it is in the path. */
export const UMAMI: Dialect = { name: 'umami', route, readRequest: readUmamiRequest }

const EVENTS_PATH = /^\/([\w-]{1,200})\/api\/(send|batch)$/

function route({ method, path }: ForeignHead): ForeignRoute | undefined {
  const [, key, form] = EVENTS_PATH.exec(path) ?? []
  if (key === undefined || method !== 'POST') return undefined
  return {
    kind: 'events',
    form: form satisfies string | undefined as UmamiForm,
    listsResults: true,
    key: findPublicKey(key),
    accept: form === 'batch' ? acceptBatch : accept,
    refuse,
  }
}

/** What the tracker sends back with its next request; nothing here depends on it. */
const CACHE = 'none'

/** Sessions are derived when the event is stored, so that the answer names none. */
function accept({ results }: ForeignOutcome): Answer {
  const [only] = results
  if (only?.dropped !== undefined)
    return jsonAnswer(400, errorOf(400, `the event was dropped: ${only.dropped}`))
  return jsonAnswer(200, { cache: CACHE, sessionId: NO_SESSION, visitId: NO_SESSION })
}

function acceptBatch({ results }: ForeignOutcome): Answer {
  const details = results.flatMap(({ dropped }, index) =>
    dropped === undefined ? [] : [{ index, response: { status: 400, message: dropped } }],
  )
  const { length: size } = results
  const [processed, errors] = [size - details.length, details.length]
  return jsonAnswer(200, { size, processed, errors, details, cache: CACHE })
}

function refuse(error: ServiceError): Answer {
  const status = statusOfRefusal(error)
  return withRetryAfter(jsonAnswer(status, errorOf(status, error.message, error.code)), error)
}

function errorOf(status: number, message: string, code = 'bad-request'): object {
  return { error: { message, code: code.replaceAll('_', '-'), status } }
}
