import { create, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { approximateSize } from './approximate-size.ts'

function trends(points: number, kind: string): Parameters<typeof create<typeof QueryResponseSchema>>[1] {
  const series = [
    {
      eventKind: kind,
      points: Array.from({ length: points }, (_, index) => ({ time: timestampFromMs(index), value: index })),
    },
  ]
  return { result: { case: 'trends', value: { series } } }
}

test.each([
  [1000, 'signup'],
  [10, 'x'.repeat(5000)],
])('%i points, and names, count about as on the wire', (points, kind) => {
  const size = approximateSize(trends(points, kind))
  const wire = toBinary(QueryResponseSchema, create(QueryResponseSchema, trends(points, kind))).length
  expect(size / wire).toBeGreaterThan(0.5)
  expect(size / wire).toBeLessThan(3)
})
