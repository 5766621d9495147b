import type { JsonObject } from '@bufbuild/protobuf'
import Waypoints from 'lucide-solid/icons/waypoints'
import type { ChartTarget } from '../../charts/chart.ts'
import { nodeLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { type AnchorDraft, type NodesDraft, newEvent } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { type Json, listOf, recordOf, withoutZeros } from '../model/json.ts'
import type { PointKind } from '../model/points.ts'
import { decodeEvent, encodeEvent, nameProperty } from '../model/series.ts'
import type { TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_USER_FLOW: {
      readonly scope: EventDraft
      readonly nodes: NodesDraft
      /** 0 for the default of the service, here and below. */
      readonly maxHops: number
      readonly maxNodes: number
      readonly maxLinks: number
      /** Absent: at the first or the last event of the session. */
      readonly startAt: AnchorDraft | undefined
      readonly endAt: AnchorDraft | undefined
      readonly rules: readonly PathRuleDraft[]
    }
  }
}

/** The paths of sessions. */
export const userFlow = defineInsightType({
  type: 'INSIGHT_TYPE_USER_FLOW',
  name: 'insights.paths',
  result: 'userFlow',
  views: () => ['chart', 'table'],
  timedViews: [],
  comparable: undefined,
  defaultSize: { w: 6, h: 9 },
  tileSettings: [],
  describe: ({ nodes }) => (nodes.of === 'property' ? nameProperty(nodes.property) : t('insights.events')),
  encode: ({ scope, nodes, maxHops, maxNodes, maxLinks, startAt, endAt, rules }) => {
    const node =
      nodes.of === 'events'
        ? { nodeKind: 'NODE_KIND_EVENT_KIND' }
        : { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: nodes.property }
    return {
      userFlow: {
        ...node,
        scope: encodeEvent(scope),
        ...withoutZeros({ maxHops, maxNodes, maxLinks }),
        ...(startAt && { startAt: encodeAnchor(startAt) }),
        ...(endAt && { endAt: encodeAnchor(endAt) }),
        ...(rules.length > 0 && {
          pathRules: rules.map(({ pattern, replacement }) => ({ pattern, replacement })),
        }),
      },
    }
  },
  decode: (spec) => {
    const flow = recordOf(spec.userFlow)
    return {
      type: 'INSIGHT_TYPE_USER_FLOW',
      scope: decodeEvent(flow.scope),
      nodes: decodeNodes(flow),
      maxHops: Number(flow.maxHops ?? 0),
      maxNodes: Number(flow.maxNodes ?? 0),
      maxLinks: Number(flow.maxLinks ?? 0),
      startAt: decodeAnchor(flow.startAt),
      endAt: decodeAnchor(flow.endAt),
      rules: listOf(flow.pathRules).map(({ pattern, replacement }) => ({
        pattern: String(pattern ?? ''),
        replacement: String(replacement ?? ''),
      })),
    }
  },
  findMissing: ({ nodes, startAt, endAt, rules }) => {
    if (nodes.of === 'property' && nodes.property === '') return 'insights.missingNodes'
    const isOpen = [startAt, endAt].some((anchor) => anchor?.of === 'node' && anchor.node === '')
    if (isOpen) return 'insights.missingAnchor'
    return rules.some(({ pattern }) => pattern === '') ? 'insights.missingPattern' : undefined
  },
  isNothing: ({ nodes }) => nodes.length === 0,
  table: ({ nodes, links }) => {
    const labels = new Map(nodes.map((node) => [node.id, nodeLabel(node)]))
    return {
      columns: [t('insights.from'), t('insights.to'), t('insights.sessions')].map(plain),
      rows: links.map(({ source, target, value }) => [
        labels.get(source) ?? source,
        labels.get(target) ?? target,
        Number(value),
      ]),
    }
  },
  pointOf: flowPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/paths.tsx')).PathsChart })),
})

/** Depth of new paths, and their different points in each depth. */
const PATHS = { maxHops: 4, maxNodes: 10 } as const

/** A chart draws the strongest links of each depth: the limit counts those of all depths together. */
const LINKS_MAX = 500

/** The tab of paths. */
export const pathsTab: TabEntry = {
  name: 'insights.paths',
  Icon: Waypoints,
  has: ({ type }) => type === 'INSIGHT_TYPE_USER_FLOW',
  partFrom: () => ({
    type: 'INSIGHT_TYPE_USER_FLOW',
    scope: newEvent(),
    nodes: { of: 'events' },
    ...PATHS,
    maxLinks: LINKS_MAX,
    startAt: undefined,
    endAt: undefined,
    rules: [],
  }),
}

function encodeAnchor(anchor: AnchorDraft): JsonObject {
  return anchor.of === 'event' ? { event: encodeEvent(anchor.event) } : { node: anchor.node }
}

function decodeAnchor(value: Json[string]): AnchorDraft | undefined {
  const { event, node } = recordOf(value)
  if (typeof node === 'string') return { of: 'node', node }
  return event === undefined ? undefined : { of: 'event', event: decodeEvent(event) }
}

function decodeNodes({ nodeKind, nodeProperty }: Json): NodesDraft {
  const isProperty = nodeKind === 'NODE_KIND_PROPERTY'
  return isProperty ? { of: 'property', property: String(nodeProperty ?? '') } : { of: 'events' }
}

function flowPoint(target: ChartTarget): PointKind | undefined {
  if (target.kind === 'node') return { case: 'userFlow', value: { kind: { case: 'node', value: target.id } } }
  if (target.kind !== 'link') return undefined
  const { source, target: end } = target
  return { case: 'userFlow', value: { kind: { case: 'link', value: { source, target: end } } } }
}
