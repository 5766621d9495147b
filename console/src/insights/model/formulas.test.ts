import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { findRefusal } from '@domain/insights/find-refusal.ts'
import { expect, test } from 'vitest'
import { encodeDraft, parseSpec } from '../spec.ts'
import { NO_BREAKDOWN, NO_FILTERS, newSeries } from './draft.ts'
import { type FormulaMistake, findMistake } from './formulas.ts'

/** The mistakes that are found in the refusal of a query with some formulas over two series. */
function mistakesOf(expressions: readonly string[]): readonly (FormulaMistake | undefined)[] {
  const formulas = expressions.map((expression) => ({ expression, name: '' }))
  const spec = encodeDraft({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'events', series: [newSeries('view'), newSeries('sale')], formulas },
    breakdown: NO_BREAKDOWN,
    ...NO_FILTERS,
  })
  const request = create(QueryRequestSchema, {
    spec: parseSpec(JSON.stringify(spec)),
    timeRange: { from: timestampFromMs(0), to: timestampFromMs(86_400_000) },
    granularity: Granularity.DAY,
  })
  const found = findRefusal(request, 'UTC')?.violations ?? []
  const violations = new Map(found.map(({ field, description }) => [field, description]))
  return formulas.map((_, at) => findMistake(violations, { formulas, at, seriesCount: 2 }))
}

test.each<[expression: string, mistake: FormulaMistake | undefined]>([
  ['100 * B / A', undefined],
  ['A / C', { kind: 'no series', letter: 'C' }],
  ['A / (B + ', { kind: 'unfinished' }],
  ['A + 🦊 B', { kind: 'from', rest: '🦊 B' }],
  ['A / clicks', { kind: 'from', rest: 'clicks' }],
  ['A B', { kind: 'from', rest: 'B' }],
])('the mistake of "%s" is found in the refusal of its query', (expression, mistake) => {
  expect(mistakesOf([expression])).toEqual([mistake])
})

test('a mistake belongs to its own formula, also behind one that is not written yet', () => {
  expect(mistakesOf(['', 'A', 'A /'])).toEqual([undefined, undefined, { kind: 'unfinished' }])
})
