import { counter } from '../../kernel/metrics.ts'

/** Calls of tools. The listener imports this module, so that the metric is shown before the first call loads the endpoint. */
export const toolCalls = counter(
  'millrace_mcp_tool_calls_total',
  'Calls of MCP tools, by tool and outcome.',
  ['tool', 'outcome'],
)
