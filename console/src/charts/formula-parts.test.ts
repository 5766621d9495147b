import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { TrendSeriesSchema } from '@contract/shared/insights/v1/query_result_pb.js'
import { expect, test } from 'vitest'
import { findFormulaParts } from './formula-parts.ts'

type Init = Exclude<MessageInitShape<typeof TrendSeriesSchema>, { $typeName: string }>

const chrome = { breakdown: { $browser: 'Chrome' } }
const safari = { breakdown: { $browser: 'Safari' } }

function partsOf(kinds: readonly string[], series: readonly Init[]): readonly number[] {
  const spec = create(InsightQuerySpecSchema, { events: kinds.map((kind) => ({ event: { kind } })) })
  const answered = series.map((one) => create(TrendSeriesSchema, one))
  return [...findFormulaParts(answered, spec)]
}

test.each<[fact: string, kinds: readonly string[], series: readonly Init[], parts: readonly number[]]>([
  ['no series is a part without a formula', ['view'], [{ eventKind: 'view' }], []],
  [
    'a series that no formula names is no part',
    ['view', 'sale', 'signup'],
    [{ eventKind: 'view' }, { eventKind: 'sale' }, { eventKind: 'signup' }, { formula: '100 * C / A' }],
    [0, 2],
  ],
  [
    'a letter inside a name is no series',
    ['view', 'sale'],
    [{ eventKind: 'view' }, { eventKind: 'sale' }, { formula: 'max(B, 2)' }],
    [1],
  ],
  [
    'two events of one kind are told apart by their place',
    ['view', 'view'],
    [{ eventKind: 'view' }, { eventKind: 'view' }, { formula: 'B * 2' }],
    [1],
  ],
  [
    'each value of a breakdown is a part as its event is',
    ['view', 'sale'],
    [
      { eventKind: 'view', ...chrome },
      { eventKind: 'view', ...safari },
      { eventKind: 'sale', ...chrome },
      { formula: 'A / 2', ...chrome },
    ],
    [0, 1],
  ],
  [
    'a breakdown of two events of one kind shows both when a formula uses one',
    ['view', 'view'],
    [
      { eventKind: 'view', ...chrome },
      { eventKind: 'view', ...safari },
      { eventKind: 'view', ...chrome },
      { formula: 'A / 2', ...chrome },
    ],
    [],
  ],
  [
    'the answer names the events that the query of a public dashboard leaves out',
    ['', ''],
    [
      { eventKind: 'view', ...chrome },
      { eventKind: 'sale', ...chrome },
      { eventKind: 'sale', ...safari },
      { formula: 'B * 2', ...chrome },
    ],
    [1, 2],
  ],
])('%s', (_, kinds, series, parts) => expect(partsOf(kinds, series)).toEqual(parts))
