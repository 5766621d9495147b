import { create } from '@bufbuild/protobuf'
import { UserFlowResultSchema } from '@contract/shared/insights/v1/query_result_pb.js'
import { expect, test } from 'vitest'
import { thinFlow } from './thin-flow.ts'

/** Twenty strong links from the first depth to the second, and a weak one further on. */
const FLOW = create(UserFlowResultSchema, {
  nodes: [
    { id: 'start', depth: 0 },
    ...Array.from({ length: 20 }, (_, index) => ({ id: `page ${index}`, depth: 1 })),
    { id: 'end', depth: 2 },
  ],
  links: [
    ...Array.from({ length: 20 }, (_, index) => ({
      source: 'start',
      target: `page ${index}`,
      value: BigInt(100 - index),
    })),
    { source: 'page 0', target: 'end', value: 1n },
  ],
})

test('a flow keeps the strongest links of each depth, and the nodes at their ends', () => {
  const { nodes, links } = thinFlow(FLOW)
  expect(links.map(({ target }) => target)).toEqual([
    ...Array.from({ length: 16 }, (_, index) => `page ${index}`),
    'end',
  ])
  expect(nodes.map(({ id }) => id)).toEqual([
    'start',
    ...Array.from({ length: 16 }, (_, index) => `page ${index}`),
    'end',
  ])
})
