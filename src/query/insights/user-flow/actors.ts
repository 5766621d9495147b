import type { FlowPoint } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { int64ArrayCodec, int64Codec, uint64ArrayCodec } from '../../sql/codec.ts'
import { allOf, param, type Sql, sql } from '../../sql/sql.ts'
import { ACTOR_COLUMNS, type FindActors } from '../actors.ts'
import { invalidPoint } from '../points.ts'
import { compileLinks, compileNamedLabels, type LinkRow, pathEvents } from './compile.ts'
import { labelHash } from './node.ts'
import { type FlowNode, idOf, isRest, sourceOf, targetOf } from './user-flow.ts'

/** The users of the events that form a node, or both nodes of a link, in the sessions that pass it. */
export const findFlowActors: FindActors<UserFlowQuery, FlowPoint> = async (input) => {
  const { query, point, context, run } = input
  const nodes = nodesOf(point, await run(compileLinks(query, context)))
  const named = nodes.some(isRest) ? await run(compileNamedLabels(query, context)) : []
  const hashes = named.map(({ label }) => label)
  const depths = param(
    int64ArrayCodec,
    nodes.map(({ depth }) => depth),
  )
  const passes = allOf(nodes.map((node) => passesNode(node, hashes)))
  const events = pathEvents(query, context, sql`${passes} AND has(${depths}, depth)`)
  return {
    users: sql`SELECT user, ${ACTOR_COLUMNS} FROM (${events}) GROUP BY user`,
    eventsOf: (users) =>
      sql`SELECT user, ms, session FROM (${events}) WHERE user IN ${param(uint64ArrayCodec, users)}`,
  }
}

/** The nodes of a point: one, or both of a link. */
function nodesOf({ kind }: FlowPoint, links: readonly LinkRow[]): readonly FlowNode[] {
  if (kind.case === 'node') {
    const ends = links.flatMap((link) => [sourceOf(link), targetOf(link)])
    const node = ends.find((end) => idOf(end) === kind.value)
    if (!node) throw invalidPoint('userFlow.node', 'is not in the answer')
    return [node]
  }
  if (kind.case !== 'link') throw invalidPoint('userFlow', 'needs a node or a link')
  const { source, target } = kind.value
  const link = links.find((each) => idOf(sourceOf(each)) === source && idOf(targetOf(each)) === target)
  if (!link) throw invalidPoint('userFlow.link', 'is not in the answer')
  return [sourceOf(link), targetOf(link)]
}

/** Whether the row's path has the node at its depth: 0 or 1. */
function passesNode(node: FlowNode, named: readonly bigint[]): Sql {
  const position = param(int64Codec, node.depth + 1)
  const label = sql`path[${position}]`
  const isNode = isRest(node)
    ? sql`${label} NOT IN ${param(uint64ArrayCodec, named)}`
    : sql`${label} = ${labelHash(node.label)}`
  return sql`(length(path) >= ${position} AND ${isNode})`
}
