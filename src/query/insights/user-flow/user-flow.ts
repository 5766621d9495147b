import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  UserFlowNodeSchema,
  UserFlowResultSchema,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { OTHERS } from '../breakdown.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileLinks, type LinkRow } from './compile.ts'

/** The graph of the paths that sessions take. */
export const answerUserFlow: AnswerInsight<UserFlowQuery> = async (query, context, run) => {
  const links = await run(compileLinks(query, context))
  return { case: 'userFlow', value: shapeFlow(links) }
}

interface Place {
  readonly depth: number
  /** Empty for the rest. */
  readonly label: string
}

/**
 * The graph of the links: nodes are their endpoints, sorted by depth, then label (bytewise); the rest sorts by its
 * display text, after a real label with the same text.
 */
export function shapeFlow(links: readonly LinkRow[]): MessageInitShape<typeof UserFlowResultSchema> {
  const ends = links.flatMap((link) => [sourceOf(link), targetOf(link)])
  const places = [...new Map(ends.map((place) => [idOf(place), place])).values()].sort(comparePlaces)
  return {
    nodes: places.map(toNode),
    links: links.map((link) => ({
      source: idOf(sourceOf(link)),
      target: idOf(targetOf(link)),
      value: BigInt(link.value),
    })),
  }
}

function sourceOf({ depth, source }: LinkRow): Place {
  return { depth, label: source }
}

function targetOf({ depth, target }: LinkRow): Place {
  return { depth: depth + 1, label: target }
}

function toNode(place: Place): MessageInitShape<typeof UserFlowNodeSchema> {
  return { id: idOf(place), depth: place.depth, label: textOf(place), isOthers: isRest(place) }
}

/** The id of the rest has no colon, so it cannot collide with a label's node. */
function idOf(place: Place): string {
  return isRest(place) ? `${place.depth}` : `${place.depth}:${place.label}`
}

function isRest({ label }: Place): boolean {
  return label === ''
}

function textOf(place: Place): string {
  return isRest(place) ? OTHERS : place.label
}

function comparePlaces(...[left, right]: readonly [Place, Place]): number {
  return (
    left.depth - right.depth ||
    Buffer.compare(Buffer.from(textOf(left)), Buffer.from(textOf(right))) ||
    Number(isRest(left)) - Number(isRest(right))
  )
}
