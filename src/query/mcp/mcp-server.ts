import { ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server'
import type { CallMethod } from '../http/call-method.ts'
import { callTool } from './call-tool.ts'
import { findTool } from './tools.ts'

/** What every server of the process has in common. */
export interface McpServerParts {
  readonly listTools: () => readonly Tool[]
  readonly callMethod: CallMethod
  /** The release of this service. */
  readonly version: string
  /** Told why a message got an error of the protocol. */
  readonly onRefused: (error: Error) => void
}

/** What a model should know before it calls any tool. */
const INSTRUCTIONS =
  'Product analytics of one project: events that its users caused, and who the users are. All tools only read. ' +
  'Begin with get_insights_filter_schema to learn the event kinds and property keys; names of auto-properties begin with $. ' +
  'query_insights counts and compares, explore_events shows single events, get_activity_feed and get_profile_stats look at one user. ' +
  'Times are RFC 3339 text, time ranges include their begin and exclude their end, integers of 64 bits are text in answers, and what is zero, false or empty is left out of them. ' +
  'A call that fails says in its text which field to mend.'

/** How long a client may keep the list of tools, which only a new release changes. */
const TOOLS_TTL_MS = 3_600_000

/** A server for one request. It keeps nothing: whatever a call needs comes with its request. */
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
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)}`)
    const signal = AbortSignal.any([request.signal, mcpReq.signal])
    return await callTool(
      { name, tool, arguments: params.arguments ?? {}, headers: request.headers, signal },
      callMethod,
    )
  })
  return server
}
