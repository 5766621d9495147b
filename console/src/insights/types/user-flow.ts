import { lazy } from 'solid-js'
import { nodeLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { recordOf, withoutZeros } from '../model/json.ts'
import { decodeScope, encodeScope } from '../model/series.ts'

/** The paths of sessions. */
export const userFlow = defineInsightType({
  label: 'User flow',
  result: 'userFlow',
  views: () => ['chart', 'table'],
  timedViews: [],
  comparable: undefined,
  defaultSize: { w: 6, h: 9 },
  tileSettings: [],
  fields: [
    {
      kind: 'group',
      legend: 'Events',
      path: 'spec.userFlow',
      fields: [
        {
          kind: 'property',
          name: 'flowProperty',
          label: 'Show paths by a property (empty for events)',
          path: 'spec.userFlow.nodeProperty',
        },
        { kind: 'count', name: 'maxHops', label: 'Hops (1 to 10, 0 for 5)', path: 'spec.userFlow.maxHops' },
        {
          kind: 'count',
          name: 'maxNodes',
          label: 'Nodes (2 to 50, 0 for 20)',
          path: 'spec.userFlow.maxNodes',
        },
        {
          kind: 'count',
          name: 'maxLinks',
          label: 'Links (1 to 500, 0 for 250)',
          path: 'spec.userFlow.maxLinks',
        },
        { kind: 'scope', path: 'spec.userFlow', metric: 'none' },
      ],
    },
  ],
  encode: ({ scope, flowProperty, maxHops, maxNodes, maxLinks }) => {
    const node =
      flowProperty === ''
        ? { nodeKind: 'NODE_KIND_EVENT_KIND' }
        : { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: flowProperty }
    return {
      userFlow: { ...node, scope: encodeScope(scope), ...withoutZeros({ maxHops, maxNodes, maxLinks }) },
    }
  },
  decode: (spec) => {
    const flow = recordOf(spec.userFlow)
    return {
      ...decodeScope({ scope: flow.scope }),
      flowProperty: String(flow.nodeProperty ?? ''),
      maxHops: Number(flow.maxHops ?? 0),
      maxNodes: Number(flow.maxNodes ?? 0),
      maxLinks: Number(flow.maxLinks ?? 0),
    }
  },
  table: ({ nodes, links }) => {
    const labels = new Map(nodes.map((node) => [node.id, nodeLabel(node)]))
    return {
      columns: ['From', 'To', 'Sessions'].map(plain),
      rows: links.map(({ source, target, value }) => [
        labels.get(source) ?? source,
        labels.get(target) ?? target,
        Number(value),
      ]),
    }
  },
  Chart: lazy(async () => ({ default: (await import('../../charts/paths.tsx')).PathsChart })),
})
