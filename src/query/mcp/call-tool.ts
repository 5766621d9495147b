import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ServiceError } from '../../contract/service-error.ts'
import { counter } from '../../kernel/metrics.ts'
import { toErrorJson } from '../../rpc/json-rpc-error.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import type { CallMethod } from '../http/call-method.ts'
import type { ToolEntry } from './tools.ts'

const calls = counter('millrace_mcp_tool_calls_total', 'Calls of MCP tools, by tool and outcome.', [
  'tool',
  'outcome',
])

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
export async function callTool(call: ToolCall, callMethod: CallMethod): Promise<CallToolResult> {
  const { name, tool, headers, signal } = call
  const answer = await callMethod({ method: tool.method, request: call.arguments, headers, signal })
  calls.inc({ tool: name, outcome: answer.ok ? 'ok' : answer.error.code })
  if (!answer.ok) return failure(answer.error, headers.get(REQUEST_ID_HEADER) ?? '')
  return { content: [{ type: 'text', text: answer.value }], structuredContent: JSON.parse(answer.value) }
}

/** An error has no structured form, because clients validate that against the output schema. */
function failure(error: ServiceError, requestId: string): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(toErrorJson(error, requestId)) }], isError: true }
}
