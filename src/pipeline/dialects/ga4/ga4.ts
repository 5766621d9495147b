import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { type Ga4Form, readGa4Request } from './read-request.ts'

/** The Measurement Protocol of Google Analytics 4, whose secret is the key. */
export const GA4: Dialect = { name: 'ga4', route, readRequest: readGa4Request }

const FORMS: Readonly<Record<string, Ga4Form>> = {
  '/mp/collect': 'collect',
  '/debug/mp/collect': 'debug',
}

function route({ method, path, query }: ForeignHead): ForeignRoute | undefined {
  const form = Object.hasOwn(FORMS, path) ? FORMS[path] : undefined
  if (form === undefined || method !== 'POST') return undefined
  return {
    kind: 'events',
    form,
    listsResults: form === 'debug',
    key: findPublicKey(query.get('api_secret')),
    accept: form === 'debug' ? describe : () => ({ status: 204, headers: [], body: '' }),
    refuse,
  }
}

/** What would be dropped or changed of each event. */
function describe({ results }: ForeignOutcome): Answer {
  const messages = results.flatMap(({ id, dropped, changes }) => {
    const reasons = dropped === undefined ? changes : [dropped]
    return reasons.map((reason) => messageOf(`events[${id}]`, reason))
  })
  return jsonAnswer(200, { validationMessages: messages })
}

function refuse(error: ServiceError): Answer {
  const { reason, message } = error
  const body = { validationMessages: [{ description: message, validationCode: reason }] }
  return withRetryAfter(jsonAnswer(statusOfRefusal(error), body), error)
}

function messageOf(fieldPath: string, reason: string): object {
  return { fieldPath, description: reason.replaceAll('_', ' '), validationCode: reason.toUpperCase() }
}
