import { NO_SESSION } from '../../../contract/ids.ts'
import { isServerLibrary } from '../../../contract/server-libraries.ts'
import type { ServiceError } from '../../../contract/service-error.ts'
import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { Dialect, ForeignHead, ForeignOutcome, ForeignRoute } from '../foreign/dialect.ts'
import type { ForeignSender } from '../foreign/foreign-batch.ts'
import { findPublicKey, statusOfRefusal, withRetryAfter } from '../foreign/refusal.ts'
import { readOpenpanelRequest } from './read-request.ts'

/** The SDKs of OpenPanel, which name the key, the library and the client of a user in headers. */
export const OPENPANEL: Dialect = { name: 'openpanel', route, readRequest: readOpenpanelRequest }

function route({ method, path, header }: ForeignHead): ForeignRoute | undefined {
  if (path === '/track/device-id') return { kind: 'fixed', answer: jsonAnswer(200, IDS) }
  if (path !== '/track' || method !== 'POST') return undefined
  return {
    kind: 'events',
    form: 'payload',
    listsResults: true,
    key: findPublicKey(header('openpanel-client-id')),
    sender: readSender(header),
    accept,
    refuse,
  }
}

/**
 * Both ids are derived when the event is stored, so that an answer names none. The SDK of browsers keeps what it recorded of a session
 * in memory until it has an id of it.
 */
const IDS = { deviceId: '', sessionId: NO_SESSION }

/** The user agents of requests by `fetch` of Node.js. */
const NODE_AGENT = /^(node|undici)?$/

/** Libraries of servers without the name of a language. */
const SERVER_LIBRARIES: ReadonlySet<string> = new Set(['express'])

/** A server may pass on the address and the user agent of a user; without them, it says nothing about one. */
function readSender(header: ForeignHead['header']): ForeignSender {
  const library = header('openpanel-sdk-name') ?? ''
  const userAgent = header('user-agent') ?? ''
  const address = canonicalAddress(header('openpanel-client-ip') ?? header('x-client-ip'))
  const isServer = SERVER_LIBRARIES.has(library) || isServerLibrary(library) || NODE_AGENT.test(userAgent)
  const isOfUser = !isServer || userAgent.startsWith('Mozilla/')
  return {
    library,
    libraryVersion: header('openpanel-sdk-version') ?? '',
    origin: header('origin') ?? '',
    isOnDevice: !isServer,
    client: {
      place: isServer || address !== undefined ? { address } : 'request',
      agent: isOfUser ? 'request' : { userAgent: undefined },
    },
  }
}

/** The SDK sends again after every status but 200, 202 and 401. */
function accept({ results }: ForeignOutcome): Answer {
  const dropped = results.find((result) => result.dropped !== undefined)?.dropped
  return dropped === undefined ? jsonAnswer(200, IDS) : jsonAnswer(202, { ...IDS, dropped })
}

function refuse(error: ServiceError): Answer {
  const { code, message } = error
  const status = code === 'permission_denied' ? 401 : statusOfRefusal(error)
  return withRetryAfter(jsonAnswer(status, { status, error: code, message }), error)
}
