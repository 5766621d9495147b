import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  UserFlowQuery_GroupBy,
  UserFlowQuery_NodeKind,
  type UserFlowQuery as UserFlowQueryMessage,
} from '../../contract/gen/shared/insights/v1/user_flow_query_pb.js'
import { type InsightRules, invalidSpec } from './insight-context.ts'
import type { EventMatch } from './parse-filters.ts'
import { parseEventFilter } from './parse-filters.ts'
import type { EventProperty } from './property.ts'
import { parseEventProperty } from './series.ts'
import { type PathAnchor, type PathRule, parseAnchor, parsePathRules } from './user-flow-path.ts'

/** The source of the labels of a path's nodes. */
export type FlowNodeSource =
  | { readonly by: 'kind' }
  | { readonly by: 'property'; readonly property: EventProperty }

/** The paths that sessions take. */
export interface UserFlowQuery {
  readonly node: FlowNodeSource
  /** The events that form the paths. */
  readonly scope: EventMatch
  /** Longest path, in links. */
  readonly hopsMax: number
  /** Maximum labels that keep their name. */
  readonly labelsMax: number
  readonly linksMax: number
  /** Where the path of a session starts; its first event when absent. */
  readonly startAt: PathAnchor | undefined
  /** Where it ends, seen from its start when that is given too; else paths are read backwards from there. */
  readonly endAt: PathAnchor | undefined
  /** Replacements in the values of nodes, in order. */
  readonly rules: readonly PathRule[]
}

interface Bounds {
  readonly low: number
  readonly high: number
  readonly unset: number
}

const HOPS: Bounds = { low: 1, high: 10, unset: 5 }
const LABELS: Bounds = { low: 2, high: 50, unset: 20 }
const LINKS: Bounds = { low: 1, high: 500, unset: 250 }

/** Paths of sessions. */
export const USER_FLOW_RULES: InsightRules<UserFlowQuery> = { fields: ['userFlow'], parse: parseUserFlow }

function parseUserFlow({ userFlow }: InsightQuerySpec): UserFlowQuery {
  if (!userFlow) throw invalidSpec('userFlow', 'is required by USER_FLOW')
  if (UserFlowQuery_GroupBy[userFlow.groupBy] === undefined) {
    throw invalidSpec('userFlow.groupBy', 'is unknown')
  }
  return {
    node: parseNode(userFlow),
    scope: parseEventFilter(userFlow.scope, {
      field: 'spec.userFlow.scope',
      reason: 'INVALID_INSIGHT_QUERY',
    }),
    hopsMax: parseBounded(userFlow.maxHops, 'userFlow.maxHops', HOPS),
    labelsMax: parseBounded(userFlow.maxNodes, 'userFlow.maxNodes', LABELS),
    linksMax: parseBounded(userFlow.maxLinks, 'userFlow.maxLinks', LINKS),
    startAt: parseAnchor(userFlow.startAt, 'userFlow.startAt'),
    endAt: parseAnchor(userFlow.endAt, 'userFlow.endAt'),
    rules: parsePathRules(userFlow.pathRules, 'userFlow.pathRules'),
  }
}

function parseNode({ nodeKind, nodeProperty }: UserFlowQueryMessage): FlowNodeSource {
  const field = 'userFlow.nodeProperty'
  switch (nodeKind) {
    case UserFlowQuery_NodeKind.UNSPECIFIED:
    case UserFlowQuery_NodeKind.EVENT_KIND:
      if (nodeProperty !== '') throw invalidSpec(field, 'belongs to NODE_KIND_PROPERTY only')
      return { by: 'kind' }
    case UserFlowQuery_NodeKind.PROPERTY:
      return { by: 'property', property: parseEventProperty(nodeProperty, field) }
    default:
      nodeKind satisfies never
      throw invalidSpec('userFlow.nodeKind', 'is unknown')
  }
}

function parseBounded(value: number, field: string, { low, high, unset }: Bounds): number {
  if (value === 0) return unset
  if (value < low || value > high) throw invalidSpec(field, `must be ${low} to ${high}`)
  return value
}
