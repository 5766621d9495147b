import type { DescMethod } from '@bufbuild/protobuf'
import { createContextValues } from '@connectrpc/connect'
import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import { fromCookieKey } from '../../access/caller.ts'
import { IdentitiesService } from '../../contract/gen/millrace/account/v1/identities_service_pb.js'
import {
  AuthService,
  type StartSecondFactorResponse,
} from '../../contract/gen/public/auth/v1/auth_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { type Answer, errorAnswer, jsonAnswer } from '../../rpc/answer.ts'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { messageBytesMaxOf } from '../../rpc/message-bounds.ts'
import { invalidRequest, methodNotAllowed } from '../../rpc/protocol-errors.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { type CallMethod, createCallMethod, type Handlers } from '../http/call-method.ts'
import { logFailure } from '../http/log-failure.ts'
import { readJsonBody } from '../http/read-json-body.ts'
import {
  ATTEMPT_COOKIE,
  assertSameOrigin,
  clearCookie,
  readCookie,
  SECOND_FACTOR_COOKIE,
  SESSION_COOKIE,
  SESSION_PATH,
  writeCookie,
} from './session-security.ts'

/** Dependencies and limits of the endpoints. */
export interface SessionEndpointOptions {
  /** Handlers by path, which include those of AuthService. */
  readonly handlers: Handlers
  readonly log: Logger
  readonly errorDomain: string
  /** Public URL of this service. */
  readonly publicUrl: string
  readonly bodyBytesMax: number
  readonly timeoutMsMax: number
}

/** The response of a sign-in; pages never receive the refresh token. */
interface SignedIn {
  readonly token: string
  readonly refreshToken: string
  /** Absent for false. */
  readonly passwordRemoved?: boolean
}

/** The response of a sign-in whose second factor is due; pages never receive the attempt. */
interface FactorDue {
  readonly secondFactor: string
}

/** The response to the start of a sign-in with a provider; pages never receive the attempt. */
interface Started {
  readonly authorizationUrl: string
  readonly attempt: string
}

interface SessionCall {
  readonly body: Readonly<Record<string, unknown>>
  readonly cookie: string | undefined
  /** The attempt to sign in with a provider. */
  readonly attempt: string | undefined
  /** The sign-in whose second factor is due. */
  readonly secondFactor: string | undefined
  readonly scheme: 'http' | 'https'
  /** Calls a method of AuthService through its RPC handler. Throws its error. */
  readonly call: (method: DescMethod, body: Readonly<Record<string, unknown>>) => Promise<string>
}

type ServeSession = (call: SessionCall) => Promise<Answer>

const { signInWithEmail, completeMagicLink, completeOAuthSignIn, refreshSession, signOut } =
  AuthService.method
const { startOIDCSignIn, completeOIDCSignIn, startSecondFactor, completeSecondFactor } = AuthService.method
const { connect } = IdentitiesService.method

/** Never valid: the service then rejects the response as that of another browser. */
const NO_ATTEMPT = 'none'

/**
 * The sign-in of the console: methods of AuthService that keep the refresh token in a cookie, out of reach of scripts. Each
 * call goes through its RPC handler, so authentication, validation and errors are identical.
 */
export function createSessionEndpoints(
  options: SessionEndpointOptions,
): ReadonlyMap<string, UniversalHandlerFn> {
  const callMethod = createCallMethod(options)
  const serves: readonly (readonly [DescMethod, ServeSession])[] = [
    ...[signInWithEmail, completeMagicLink, completeOAuthSignIn].map(
      (method) => [method, async (call: SessionCall) => await signIn(method, call)] as const,
    ),
    ...[startOIDCSignIn, connect].map(
      (method) => [method, async (call: SessionCall) => await start(method, call)] as const,
    ),
    [completeOIDCSignIn, complete],
    [startSecondFactor, startProof],
    [completeSecondFactor, prove],
    [refreshSession, refresh],
    [signOut, leave],
  ]
  return new Map(
    serves.map(([method, serve]) => [
      `${SESSION_PATH}/${method.name}`,
      async (request: UniversalServerRequest) => await answer(request, { ...options, callMethod, serve }),
    ]),
  )
}

async function signIn(method: DescMethod, { body, scheme, call }: SessionCall): Promise<Answer> {
  const answered: SignedIn | FactorDue = JSON.parse(await call(method, body))
  if (!('secondFactor' in answered)) return withSession(answered, scheme)
  const cookie = writeCookie(SECOND_FACTOR_COOKIE, answered.secondFactor, scheme)
  return withCookie(jsonAnswer(200, { secondFactor: true }), cookie)
}

/** How the sign-in can go on; the step stays in this browser. */
async function startProof({ secondFactor: attempt = NO_ATTEMPT, call }: SessionCall): Promise<Answer> {
  const { hasTotp = false, passkeyOptions = '' }: Partial<StartSecondFactorResponse> = JSON.parse(
    await call(startSecondFactor, { attempt }),
  )
  return jsonAnswer(200, { hasTotp, passkeyOptions })
}

/** The step stays in this browser. */
async function prove(session: SessionCall): Promise<Answer> {
  const { secondFactor = NO_ATTEMPT, scheme } = session
  const body = { ...session.body, attempt: secondFactor }
  const signedIn = await signIn(completeSecondFactor, { ...session, body })
  return withCookie(signedIn, clearCookie(SECOND_FACTOR_COOKIE, scheme))
}

/** The sign-in goes on at the provider; the attempt stays in this browser. */
async function start(method: DescMethod, { body, scheme, call }: SessionCall): Promise<Answer> {
  const { authorizationUrl, attempt }: Started = JSON.parse(await call(method, body))
  return withCookie(jsonAnswer(200, { authorizationUrl }), writeCookie(ATTEMPT_COOKIE, attempt, scheme))
}

async function complete(session: SessionCall): Promise<Answer> {
  const { attempt = NO_ATTEMPT } = session
  return await signIn(completeOIDCSignIn, { ...session, body: { ...session.body, attempt } })
}

/** Without a cookie, or with an expired one, the response is empty instead of an error. */
async function refresh({ cookie, scheme, call }: SessionCall): Promise<Answer> {
  if (cookie === undefined) return jsonAnswer(200, {})
  try {
    return withSession(JSON.parse(await call(refreshSession, { refreshToken: cookie })), scheme)
  } catch (thrown) {
    if (ServiceError.from(thrown).code !== 'unauthenticated') throw thrown
    return withCookie(jsonAnswer(200, {}), clearCookie(SESSION_COOKIE, scheme))
  }
}

async function leave({ cookie, scheme, call }: SessionCall): Promise<Answer> {
  if (cookie !== undefined) await call(signOut, { refreshToken: cookie })
  return withCookie(jsonAnswer(200, {}), clearCookie(SESSION_COOKIE, scheme))
}

function withSession({ token, refreshToken, passwordRemoved }: SignedIn, scheme: 'http' | 'https'): Answer {
  const shown = { token, ...(passwordRemoved && { passwordRemoved }) }
  return withCookie(jsonAnswer(200, shown), writeCookie(SESSION_COOKIE, refreshToken, scheme))
}

function withCookie(answered: Answer, cookie: string): Answer {
  return { ...answered, headers: [...answered.headers, ['set-cookie', cookie]] }
}

interface Endpoint extends SessionEndpointOptions {
  readonly callMethod: CallMethod
  readonly serve: ServeSession
}

async function answer(request: UniversalServerRequest, endpoint: Endpoint): Promise<UniversalServerResponse> {
  const requestId = request.header.get(REQUEST_ID_HEADER) ?? ''
  try {
    return toResponse(await admitAndServe(request, endpoint), requestId)
  } catch (thrown) {
    const error = ServiceError.from(thrown)
    logFailure(endpoint.log, requestId, error)
    const status = error.reason === 'METHOD_NOT_ALLOWED' ? 405 : undefined
    return toResponse(errorAnswer(error, { requestId, domain: endpoint.errorDomain }, status), requestId)
  }
}

async function admitAndServe(
  request: UniversalServerRequest,
  { callMethod, publicUrl, bodyBytesMax, serve }: Endpoint,
): Promise<Answer> {
  if (request.method !== 'POST') throw methodNotAllowed()
  assertSameOrigin(request.header, publicUrl)
  const body = await readJsonBody(request, messageBytesMaxOf(`${SESSION_PATH}/`, bodyBytesMax))
  if (!isRecord(body)) throw invalidRequest('the request must be a JSON object')
  const { header, signal } = request
  return await serve({
    body,
    cookie: readCookie(SESSION_COOKIE, header.get('cookie') ?? undefined),
    attempt: readCookie(ATTEMPT_COOKIE, header.get('cookie') ?? undefined),
    secondFactor: readCookie(SECOND_FACTOR_COOKIE, header.get('cookie') ?? undefined),
    scheme: schemeOf(header, publicUrl),
    call: async (method, message) => {
      const notes = request.contextValues?.get(edgeNotesKey)
      const values = createContextValues().set(fromCookieKey, true).set(edgeNotesKey, notes)
      const result = await callMethod({ method, request: message, headers: header, signal, values })
      if (!result.ok) throw result.error
      return result.value
    },
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Browsers send the page's scheme with every POST; the connection may be plain behind a proxy that terminates TLS. */
function schemeOf(header: Headers, publicUrl: string): 'http' | 'https' {
  return (header.get('origin') ?? publicUrl).startsWith('https:') ? 'https' : 'http'
}

function toResponse({ status, headers, body }: Answer, requestId: string): UniversalServerResponse {
  const header = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  header.set('cache-control', 'no-store')
  header.set(REQUEST_ID_HEADER, requestId)
  return { status, header, body: streamBytes(Buffer.from(body)) }
}
