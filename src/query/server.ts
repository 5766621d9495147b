import { createServer, type RequestListener, type Server } from 'node:http'
import type { HandlerContext, Interceptor } from '@connectrpc/connect'
import { ConnectError, createContextValues } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { type ErrorReason, ServiceError } from '../contract/service-error.ts'
import type { Logger } from '../kernel/log.ts'
import { toConnectError } from '../rpc/connect-errors.ts'
import { MessageRules } from '../rpc/message-rules.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import { authenticateShared } from './authenticate.ts'
import { grantKey, requestIdKey } from './call.ts'
import { registerServices } from './services.ts'
import type { RunQuery } from './sql/run.ts'

/** What the query process's HTTP server is made of. */
export interface QueryServerOptions {
  readonly keys: KeyResolver
  readonly run: RunQuery
  readonly log: Logger
  readonly errorDomain: string
  readonly bodyBytesMax: number
  readonly queryTimeoutSeconds: number
}

/** Seconds on top of the query's own limit for what surrounds it. */
const TIMEOUT_MARGIN_SECONDS = 5

/** Reason of a request that breaks a rule of its .proto file, where a service has one of its own. */
const RULE_REASONS: Readonly<Record<string, ErrorReason>> = {
  'shared.insights.v1.InsightsService': 'INVALID_INSIGHT_QUERY',
  'shared.activity.v1.ActivityService': 'INVALID_ACTIVITY_FILTER',
}

/** Creates the server of every RPC but ingestion. */
export function createQueryServer(options: QueryServerOptions): Server {
  const handleRpc = createRpcListener(options)
  return createServer((request, response) => {
    if (request.url !== '/healthz') return handleRpc(request, response)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
  })
}

function createRpcListener(options: QueryServerOptions): RequestListener {
  return connectNodeAdapter({
    routes: (router) => registerServices(router, options.run),
    contextValues: (request) => {
      const sent = request.headers[REQUEST_ID_HEADER]
      return createContextValues().set(
        requestIdKey,
        chooseRequestId(typeof sent === 'string' ? sent : undefined),
      )
    },
    requestGate: createGate(options),
    interceptors: [createErrorInterceptor(options), createRuleInterceptor(new MessageRules())],
    readMaxBytes: options.bodyBytesMax,
    maxTimeoutMs: (options.queryTimeoutSeconds + TIMEOUT_MARGIN_SECONDS) * 1000,
  })
}

/** Authenticates before the body is read. */
function createGate(options: QueryServerOptions): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    const requestId = context.values.get(requestIdKey)
    context.responseHeader.set(REQUEST_ID_HEADER, requestId)
    if (!context.service.typeName.startsWith('shared.')) return
    try {
      context.values.set(grantKey, await authenticateShared(options.keys, context.requestHeader))
    } catch (thrown) {
      throw toWire(thrown, requestId, options)
    }
  }
}

/** Turns whatever a handler throws into the error of the wire; only what is unexpected is logged. */
function createErrorInterceptor(options: QueryServerOptions): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } catch (thrown) {
      throw toWire(thrown, request.contextValues.get(requestIdKey), options)
    }
  }
}

function toWire(thrown: unknown, requestId: string, options: QueryServerOptions): ConnectError {
  if (thrown instanceof ConnectError) return thrown
  const error = ServiceError.from(thrown)
  if (error.code === 'internal' || error.code === 'unavailable') {
    options.log.error({ requestId, err: error.cause }, error.message)
  }
  return toConnectError(error, { requestId, domain: options.errorDomain })
}

/** Checks each request message against the rules of its .proto file. */
function createRuleInterceptor(rules: MessageRules): Interceptor {
  return (next) => async (request) => {
    if (request.stream) return await next(request)
    const violations = rules.check(request.method.input, request.message)
    const [first] = violations
    if (!first) return await next(request)
    throw new ServiceError({
      code: 'invalid_argument',
      reason: RULE_REASONS[request.service.typeName] ?? 'INVALID_REQUEST',
      message: `${first.field === '' ? 'the request' : first.field}: ${first.description}`,
      violations,
    })
  }
}
