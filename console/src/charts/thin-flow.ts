import type { UserFlowResult } from '@contract/shared/insights/v1/query_result_pb.js'

/** Links that are drawn between two depths; the table has all of them. */
const LINKS_PER_DEPTH_MAX = 16

/**
 * The flow with the strongest links of each depth. Sessions become fewer from hop to hop, so a limit on the links of all
 * depths together would leave out whole later hops.
 */
export function thinFlow({ nodes, links }: UserFlowResult): Pick<UserFlowResult, 'nodes' | 'links'> {
  const depths = new Map(nodes.map(({ id, depth }) => [id, depth]))
  // The links arrive strongest first.
  const byDepth = Map.groupBy(links, ({ source }) => depths.get(source))
  const drawn = new Set([...byDepth.values()].flatMap((list) => list.slice(0, LINKS_PER_DEPTH_MAX)))
  const kept = links.filter((link) => drawn.has(link))
  const ends = new Set(kept.flatMap(({ source, target }) => [source, target]))
  return { nodes: nodes.filter(({ id }) => ends.has(id)), links: kept }
}
