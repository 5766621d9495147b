import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  UserFlowNodeSchema,
  UserFlowResultSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { OTHERS } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import type { LinkRow } from './compile.ts'
import { readLinks } from './row-links.ts'

/** The graph of the paths that sessions take. */
export const answerUserFlow: AnswerInsight<UserFlowQuery> = async (query, context, run) => {
  const links = await readLinks(query, context, run)
  return { case: 'userFlow', value: shapeFlow(links) }
}

/** A node of the graph. */
export interface FlowNode {
  readonly depth: number
  /** Empty for the rest. */
  readonly label: string
}

/**
 * The graph of the links: nodes are their endpoints, sorted by depth, then label (bytewise); the rest sorts by its
 * display text, after a real label with the same text.
 */
function shapeFlow(links: readonly LinkRow[]): MessageInitShape<typeof UserFlowResultSchema> {
  const ends = links.flatMap((link) => [sourceOf(link), targetOf(link)])
  const nodes = [...new Map(ends.map((node) => [idOf(node), node])).values()].sort(compareNodes)
  return {
    nodes: nodes.map(toMessage),
    links: links.map((link) => ({
      source: idOf(sourceOf(link)),
      target: idOf(targetOf(link)),
      value: BigInt(link.value),
    })),
  }
}

/** The node that a link leaves. */
export function sourceOf({ depth, source }: LinkRow): FlowNode {
  return { depth, label: source }
}

/** The node that a link enters. */
export function targetOf({ depth, target }: LinkRow): FlowNode {
  return { depth: depth + 1, label: target }
}

function toMessage(node: FlowNode): MessageInitShape<typeof UserFlowNodeSchema> {
  return { id: idOf(node), depth: node.depth, label: textOf(node), isOthers: isRest(node) }
}

/** The id of the rest has no colon, so it cannot collide with a label's node. */
export function idOf(node: FlowNode): string {
  return isRest(node) ? `${node.depth}` : `${node.depth}:${node.label}`
}

/** Whether the node stands for all labels of the rest. */
export function isRest({ label }: FlowNode): boolean {
  return label === ''
}

function textOf(node: FlowNode): string {
  return isRest(node) ? OTHERS : node.label
}

function compareNodes(...[left, right]: readonly [FlowNode, FlowNode]): number {
  return (
    left.depth - right.depth ||
    Buffer.compare(Buffer.from(textOf(left)), Buffer.from(textOf(right))) ||
    Number(isRest(left)) - Number(isRest(right))
  )
}
