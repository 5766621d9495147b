import type { DescEnum, DescMessage } from '@bufbuild/protobuf'
import type { Tool } from '@modelcontextprotocol/server'
import { type DescribedTypes, deriveSchema } from './schema/json-schema.ts'
import { findTypes } from './schema/shared-types.ts'
import { TOOLS, type ToolEntry } from './tools.ts'

/** The tools, described when somebody asks for the first time: the rules of all their messages have to be compiled for it. */
export function createToolList(): () => readonly Tool[] {
  let tools: readonly Tool[] | undefined
  return () => {
    tools ??= describeTools()
    return tools
  }
}

/** Every tool as `tools/list` shows it: what several of them have in common is described by the first. */
export function describeTools(): Tool[] {
  const described = new Map<DescMessage | DescEnum, string>()
  return Object.entries(TOOLS).map(([name, entry]) => {
    const tool = describeTool(name, entry, described)
    for (const type of findTypes(entry.method.input)) if (!described.has(type)) described.set(type, name)
    return tool
  })
}

function describeTool(
  name: string,
  { method, title, purpose, examples }: ToolEntry,
  described: DescribedTypes,
): Tool {
  const shown = examples.map((example) => JSON.stringify(example)).join(' or ')
  return {
    name,
    title,
    description: `${purpose} Example: ${shown}`,
    inputSchema: deriveSchema(method.input, 'request', described),
    outputSchema: deriveSchema(method.output, 'answer'),
    // Hints of what writing would do have no meaning beside it.
    annotations: { readOnlyHint: true },
  }
}
