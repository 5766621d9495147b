import { createContextValues } from '@connectrpc/connect'
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server'
import { audienceKey } from '../../access/caller.ts'
import type { ServiceError } from '../../contract/service-error.ts'
import { toErrorJson } from '../../rpc/json-rpc-error.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import type { CallMethod } from '../http/call-method.ts'
import { toolCalls } from './tool-metrics.ts'
import { findTool, type ToolEntry } from './tools.ts'

/** A tool call. */
export interface ToolCall {
  readonly name: string
  readonly tool: ToolEntry
  readonly arguments: Readonly<Record<string, unknown>>
  readonly headers: Headers
  readonly signal: AbortSignal
}

/**
 * Invokes the method of a tool. The result is the response, structured and as text; an error is a result as well, with the
 * details that a caller needs to correct the call.
 */
async function callTool(call: ToolCall, callMethod: CallMethod): Promise<CallToolResult> {
  const { name, tool, headers, signal } = call
  const values = createContextValues().set(audienceKey, 'mcp')
  const answer = await callMethod({ method: tool.method, request: call.arguments, headers, signal, values })
  toolCalls.inc({ tool: name, outcome: answer.ok ? 'ok' : answer.error.code })
  if (!answer.ok) return failure(answer.error, headers.get(REQUEST_ID_HEADER) ?? '')
  return { content: [{ type: 'text', text: answer.value }], structuredContent: JSON.parse(answer.value) }
}

/** An error has no structured form, because clients validate that against the output schema. */
function failure(error: ServiceError, requestId: string): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(toErrorJson(error, requestId)) }], isError: true }
}

/** Dependencies that all servers of the process share. */
export interface McpServerParts {
  readonly listTools: () => readonly Tool[]
  readonly callMethod: CallMethod
  /** The release of this service. */
  readonly version: string
  /** Called with the cause of a protocol error. */
  readonly onRefused: (error: Error) => void
}

/** Context for a model before its first tool call. */
const INSTRUCTIONS =
  'Product analytics of one project: the events and profiles of its users. All tools are read-only. ' +
  'Call get_insights_filter_schema first to get the event kinds and property keys; names of auto properties start with $. ' +
  'query_insights counts and compares, explore_events lists raw events, get_activity_feed and get_profile_stats describe one user. ' +
  'Times are RFC 3339 strings, time ranges include from and exclude to, 64-bit integers are strings in results, and results omit fields that are zero, false or empty. ' +
  'The text of a failed call names the field to correct.'

/** Time for which a client may cache the tool list, which changes only with a release. */
const TOOLS_TTL_MS = 3_600_000

/** Creates a server for one request; it has no state beyond that request. */
export function createMcpServer(
  request: Request,
  { listTools, callMethod, version }: McpServerParts,
): Server {
  const server = new Server(
    { name: 'millrace', title: 'Millrace', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'public' } },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...listTools()] }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name } = params
    const tool = findTool(name)
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool ${JSON.stringify(name)}`)
    const signal = AbortSignal.any([request.signal, mcpReq.signal])
    return await callTool(
      { name, tool, arguments: params.arguments ?? {}, headers: request.headers, signal },
      callMethod,
    )
  })
  return server
}
