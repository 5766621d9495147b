import type { Message } from '@bufbuild/protobuf'
import { ConnectError, type HandlerContext, type Interceptor } from '@connectrpc/connect'
import { audienceKey, type Caller, callerKey } from '../../access/caller.ts'
import { findNulCharacters, MessageRules } from '../../contract/message-rules.ts'
import { type ErrorReason, type FieldViolation, ServiceError } from '../../contract/service-error.ts'
import { refusalOf } from '../../domain/insights/invalid.ts'
import type { Logger } from '../../kernel/log.ts'
import { edgeNotesKey, requestIdKey } from '../../rpc/call-context.ts'
import { toConnectError } from '../../rpc/connect-adapter/errors.ts'
import { logFailure } from './log-failure.ts'

/** A call before its body is read. */
export interface CallToAuthenticate {
  /** Full name of the service. */
  readonly service: string
  readonly method: string
  readonly headers: Headers
  /** The endpoint that makes the call for its caller: tokens may be for it only. */
  readonly audience?: 'mcp' | undefined
}

/** Authenticates a caller by the headers. Throws `ServiceError`. */
export type Authenticate = (call: CallToAuthenticate) => Promise<Caller>

/** Dependencies of the checks of a call. */
export interface CallCheckOptions {
  readonly authenticate: Authenticate
  /** Interceptors that run, in order, before the rules of a message are checked. */
  readonly interceptors: readonly Interceptor[]
  /** Interceptors that run after every check of a call. */
  readonly recorders?: readonly Interceptor[]
  readonly log: Logger
  readonly errorDomain: string
}

/** Reason of a request that violates a rule of its .proto file, for services with a reason of their own. */
const RULE_REASONS: Readonly<Record<string, ErrorReason>> = {
  'shared.insights.v1.InsightsService': 'INVALID_INSIGHT_QUERY',
  'shared.activity.v1.ActivityService': 'INVALID_ACTIVITY_FILTER',
  'shared.profiles.v1.ProfilesService': 'INVALID_PROFILE_FILTER',
  'millrace.web.v1.WebAnalyticsService': 'INVALID_WEB_QUERY',
  'millrace.web.v1.VisitsService': 'INVALID_WEB_QUERY',
}

/** Services that only search ClickHouse: events may contain any character, so their queries may too. */
const ASKING: ReadonlySet<string> = new Set(Object.keys(RULE_REASONS))

/** Authenticates before the body is read. */
export function createGate(options: CallCheckOptions): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    try {
      const call = {
        service: context.service.typeName,
        method: context.method.name,
        headers: context.requestHeader,
        audience: context.values.get(audienceKey),
      }
      const caller = await options.authenticate(call)
      context.values.set(callerKey, caller)
      const notes = context.values.get(edgeNotesKey)
      if (notes && provesAccount(caller)) notes.isVerified = true
    } catch (thrown) {
      throw toWire(thrown, context.values.get(requestIdKey), options)
    }
  }
}

/** Public keys are in the source of pages, where anyone can read them. */
function provesAccount(caller: Caller): boolean {
  return (
    caller.kind === 'customer' ||
    caller.kind === 'token' ||
    (caller.kind === 'key' && caller.keyKind === 'private')
  )
}

/** The interceptors of every call, the outermost first. */
export function createInterceptors(options: CallCheckOptions): Interceptor[] {
  return [
    createErrorInterceptor(options),
    createTextInterceptor(),
    ...options.interceptors,
    createRuleInterceptor(new MessageRules()),
    ...(options.recorders ?? []),
  ]
}

/** Converts errors of handlers to errors of the wire; only unexpected ones are logged. */
function createErrorInterceptor(options: CallCheckOptions): Interceptor {
  return (next) => async (request) => {
    const fail = (thrown: unknown): ConnectError =>
      toWire(thrown, request.contextValues.get(requestIdKey), options)
    try {
      const response = await next(request)
      return response.stream ? { ...response, message: translateErrors(response.message, fail) } : response
    } catch (thrown) {
      throw fail(thrown)
    }
  }
}

/** The messages of a stream; `fail` converts errors between them. */
async function* translateErrors<T>(
  messages: AsyncIterable<T>,
  fail: (thrown: unknown) => ConnectError,
): AsyncGenerator<T> {
  try {
    yield* messages
  } catch (thrown) {
    throw fail(thrown)
  }
}

function toWire(thrown: unknown, requestId: string, options: CallCheckOptions): ConnectError {
  if (thrown instanceof ConnectError) return thrown
  const error = ServiceError.from(thrown)
  logFailure(options.log, requestId, error)
  return toConnectError(error, { requestId, domain: options.errorDomain })
}

/** Rejects texts that cannot be stored before they reach the catalog. */
function createTextInterceptor(): Interceptor {
  return (next) => async (request) => {
    const { service } = request
    if (!request.stream && !ASKING.has(service.typeName)) {
      refuse(service.typeName, findNulCharacters(request.message))
    }
    return await next(request)
  }
}

/** Throws `invalid_argument` when there is a violation. */
function refuse(service: string, violations: readonly FieldViolation[]): void {
  const refusal = refusalOf(violations, RULE_REASONS[service] ?? 'INVALID_REQUEST')
  if (refusal) throw refusal
}

/** Checks each request message against the rules of its .proto file. */
function createRuleInterceptor(rules: MessageRules): Interceptor {
  return (next) => async (request) => {
    const { service, method } = request
    const check = (message: Message): void => refuse(service.typeName, rules.check(method.input, message))
    if (request.stream) return await next({ ...request, message: checkEach(request.message, check) })
    check(request.message)
    return await next(request)
  }
}

async function* checkEach<T extends Message>(
  messages: AsyncIterable<T>,
  check: (message: Message) => void,
): AsyncGenerator<T> {
  for await (const message of messages) {
    check(message)
    yield message
  }
}
