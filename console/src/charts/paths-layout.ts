import type {
  UserFlowLink,
  UserFlowNode,
  UserFlowResult,
} from '@contract/shared/insights/v1/query_result_pb.js'
import { thinFlow } from './thin-flow.ts'

/** A node as it is drawn, in pixels. */
export interface PathNode {
  readonly id: string
  readonly label: string
  readonly isOthers: boolean
  readonly depth: number
  /** Sessions that pass through it. */
  readonly value: number
  readonly left: number
  readonly top: number
  readonly height: number
}

/** A link as it is drawn, in pixels. */
export interface PathLink {
  readonly source: string
  readonly target: string
  readonly value: number
  readonly width: number
  readonly fromY: number
  readonly toY: number
  readonly fromX: number
  readonly toX: number
}

/** A flow, ready to be drawn. */
export interface PathLayout {
  readonly nodes: readonly PathNode[]
  readonly links: readonly PathLink[]
}

/** The room of a flow in pixels. */
export interface PathRoom {
  readonly width: number
  readonly height: number
  /** Right of the last nodes, for their labels. */
  readonly labelWidth: number
}

export const NODE_WIDTH = 10
const NODE_GAP = 12
const NODE_MIN = 3

/** Places the nodes of a flow in columns, the largest first, and the links between them. */
export function layoutPaths(flow: UserFlowResult, room: PathRoom): PathLayout {
  const { nodes, links } = thinFlow(flow)
  const values = valuesOf(flow)
  const depths = nodes.map(({ depth }) => depth)
  const columns = Math.max(0, ...depths) + 1
  const step = columns > 1 ? (room.width - room.labelWidth - NODE_WIDTH) / (columns - 1) : 0
  const scale = scaleOf(nodes, values, { columns, height: room.height })
  const placed = Array.from({ length: columns }, (_, depth) => {
    const column = nodes.filter((node) => node.depth === depth).toSorted(byRank(values))
    let top = 0
    return column.map(({ id, label, isOthers }): PathNode => {
      const value = values.get(id) ?? 0
      const height = Math.max(NODE_MIN, value * scale)
      const node = { id, label, isOthers, depth, value, left: depth * step, top, height }
      top += height + NODE_GAP
      return node
    })
  }).flat()
  return { nodes: placed, links: placeLinks(placed, links, scale) }
}

/** Sessions that pass through each node: those that come or those that go, whichever are more. */
function valuesOf({ nodes, links }: UserFlowResult): ReadonlyMap<string, number> {
  const sums = new Map(nodes.map(({ id }) => [id, { in: 0, out: 0 }]))
  for (const { source, target, value } of links) {
    const [from, to] = [sums.get(source), sums.get(target)]
    if (from) from.out += Number(value)
    if (to) to.in += Number(value)
  }
  return new Map([...sums].map(([id, sum]) => [id, Math.max(sum.in, sum.out)]))
}

function scaleOf(
  nodes: readonly UserFlowNode[],
  values: ReadonlyMap<string, number>,
  { columns, height }: { readonly columns: number; readonly height: number },
): number {
  const scales = Array.from({ length: columns }, (_, depth) => {
    const column = nodes.filter((node) => node.depth === depth)
    const sum = column.reduce((total, { id }) => total + (values.get(id) ?? 0), 0)
    return sum > 0 ? Math.max(1, height - (column.length - 1) * NODE_GAP) / sum : Number.POSITIVE_INFINITY
  })
  const scale = Math.min(...scales)
  return Number.isFinite(scale) ? scale : 0
}

/** From high to low, the rest of all others last. */
function byRank(values: ReadonlyMap<string, number>) {
  return (a: UserFlowNode, b: UserFlowNode): number =>
    Number(a.isOthers) - Number(b.isOthers) || (values.get(b.id) ?? 0) - (values.get(a.id) ?? 0)
}

function placeLinks(
  nodes: readonly PathNode[],
  links: readonly UserFlowLink[],
  scale: number,
): readonly PathLink[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const order = new Map(nodes.map(({ id }, at) => [id, at]))
  const [fromEdge, toEdge] = [new Map<string, number>(), new Map<string, number>()]
  const take = (edges: Map<string, number>, node: PathNode, width: number): number => {
    const edge = edges.get(node.id) ?? node.top
    edges.set(node.id, edge + width)
    return edge + width / 2
  }
  const sorted = links.toSorted(
    (a, b) =>
      (order.get(a.source) ?? 0) - (order.get(b.source) ?? 0) ||
      (order.get(a.target) ?? 0) - (order.get(b.target) ?? 0),
  )
  return sorted.flatMap(({ source, target, value }) => {
    const [from, to] = [byId.get(source), byId.get(target)]
    if (!from || !to) return []
    const width = Number(value) * scale
    return [
      {
        source,
        target,
        value: Number(value),
        width: Math.max(1, width),
        fromX: from.left + NODE_WIDTH,
        toX: to.left,
        fromY: take(fromEdge, from, width),
        toY: take(toEdge, to, width),
      },
    ]
  })
}

/** The ids of the nodes that paths through a node visit, itself included. */
export function nodesThrough(
  links: readonly Pick<PathLink, 'source' | 'target'>[],
  id: string,
): ReadonlySet<string> {
  const visited = new Set([id])
  const walk = (
    at: string,
    next: (link: Pick<PathLink, 'source' | 'target'>) => readonly [string, string],
  ): void => {
    for (const link of links) {
      const [from, to] = next(link)
      if (from !== at || visited.has(to)) continue
      visited.add(to)
      walk(to, next)
    }
  }
  walk(id, ({ source, target }) => [source, target])
  walk(id, ({ source, target }) => [target, source])
  return visited
}

/** The curve of a link. */
export function linkPath({ fromX, fromY, toX, toY }: PathLink): string {
  const middle = (fromX + toX) / 2
  return `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`
}
