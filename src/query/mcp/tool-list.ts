import type { Tool } from '@modelcontextprotocol/server'
import { deriveSchema } from './schema/json-schema.ts'
import { TOOLS, type ToolEntry } from './tools.ts'

/** The tools, described when somebody asks for the first time: the rules of all their messages have to be compiled for it. */
export function createToolList(): () => readonly Tool[] {
  let tools: readonly Tool[] | undefined
  return () => {
    tools ??= describeTools()
    return tools
  }
}

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
