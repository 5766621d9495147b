import type { Tool } from '@modelcontextprotocol/server'
import { deriveSchema } from './schema/json-schema.ts'
import { TOOLS, type ToolEntry } from './tools.ts'

/** Every tool as `tools/list` shows it. */
export function describeTools(): Tool[] {
  return Object.entries(TOOLS).map(([name, entry]) => describeTool(name, entry))
}

function describeTool(name: string, { method, title, purpose, example }: ToolEntry): Tool {
  return {
    name,
    title,
    description: `${purpose} Example: ${JSON.stringify(example)}`,
    inputSchema: deriveSchema(method.input, 'request'),
    outputSchema: deriveSchema(method.output, 'answer'),
    // It reads one project of this service, and nothing beyond.
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}
