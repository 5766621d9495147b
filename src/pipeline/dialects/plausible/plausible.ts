import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { readPlausibleRequest } from './read-request.ts'

/** The script of Plausible, `plausible-tracker`, and its events API. They have no key, so it is in the path. */
export const PLAUSIBLE: Dialect = { name: 'plausible', route, readRequest: readPlausibleRequest }

const EVENT_PATH = /^\/([\w-]{1,200})\/api\/event$/

function route({ method, path }: ForeignHead): ForeignRoute | undefined {
  const [, key] = EVENT_PATH.exec(path) ?? []
  if (key === undefined || method !== 'POST') return undefined
  return {
    kind: 'events',
    form: 'event',
    listsResults: true,
    key: findPublicKey(key),
    accept,
    refuse,
  }
}

/** The sender learns whether its event counts, but not why not. */
function accept({ results }: ForeignOutcome): Answer {
  const isDropped = results.some(
    ({ dropped }) => dropped !== undefined && dropped !== 'engagement_not_supported',
  )
  return {
    status: 202,
    headers: [
      ['content-type', 'text/plain; charset=utf-8'],
      ...(isDropped ? [['x-plausible-dropped', '1'] as const] : []),
    ],
    body: 'ok',
  }
}

function refuse(error: ServiceError): Answer {
  if (error.code === 'invalid_argument') return jsonAnswer(400, { errors: { request: [error.message] } })
  return withRetryAfter(jsonAnswer(statusOfRefusal(error), { error: error.message }), error)
}
