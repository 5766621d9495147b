import type { DescEnum, DescMessage } from '@bufbuild/protobuf'
import type { Tool } from '@modelcontextprotocol/server'
import { type DescribedTypes, deriveSchema } from './schema/json-schema.ts'
import { findTypes } from './schema/shared-types.ts'
import { TOOLS, type ToolEntry } from './tools.ts'

/** Creates a function that returns the tools; the first call derives their schemas, which compiles the rules of all messages. */
export function createToolList(): () => readonly Tool[] {
  let tools: readonly Tool[] | undefined
  return () => {
    tools ??= describeTools()
    return tools
  }
}

/** Every tool as in `tools/list`. A type that several tools share is described in the first of them. */
export function describeTools(): Tool[] {
  const anywhere = new Map<DescMessage | DescEnum, string>()
  const asArguments = new Map<DescMessage | DescEnum, string>()
  return Object.entries(TOOLS).map(([name, entry]) => {
    const { input } = entry.method
    const tool = describeTool(name, entry, { anywhere, asArguments })
    if (!asArguments.has(input)) asArguments.set(input, name)
    for (const type of findTypes(input)) if (!anywhere.has(type)) anywhere.set(type, name)
    return tool
  })
}

/** An example without arguments tells a model no more than the schema does. */
const NO_ARGUMENTS = '{}'

function describeTool(
  name: string,
  { method, title, purpose, examples }: ToolEntry,
  described: DescribedTypes,
): Tool {
  const shown = examples.map((example) => JSON.stringify(example)).filter((text) => text !== NO_ARGUMENTS)
  return {
    name,
    title,
    description: shown.length === 0 ? purpose : `${purpose} Example: ${shown.join(' or ')}`,
    inputSchema: deriveSchema(method.input, 'request', described),
    outputSchema: deriveSchema(method.output, 'answer'),
    // The other hints only apply to tools that write.
    annotations: { readOnlyHint: true },
  }
}
