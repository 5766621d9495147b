import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { CohortDefinitionSchema } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { describe, expect, test } from 'vitest'
import {
  completeRows,
  type DefinitionDraft,
  decodeDefinition,
  definitionOfList,
  definitionsByRow,
  encodeDefinition,
  newCondition,
  newDefinition,
  parseIds,
} from './cohort-draft.ts'

const FILTER = {
  property: 'plan',
  operator: 'FILTER_OPERATOR_EQUALS',
  values: ['pro'],
  source: 'PROPERTY_SOURCE_PROFILE',
} as const

const WHOLE: DefinitionDraft = {
  operator: 'LOGICAL_OPERATOR_OR',
  rows: [
    {
      kind: 'performed',
      event: 'purchase',
      filters: [{ ...FILTER, source: 'PROPERTY_SOURCE_CUSTOM' }],
      days: 30,
      operator: 'OPERATOR_AT_MOST',
      count: 2,
      isNegated: true,
    },
    { kind: 'first', event: 'signup', filters: [], days: 0, isNegated: false },
    {
      kind: 'group',
      operator: 'LOGICAL_OPERATOR_AND',
      conditions: [
        { kind: 'property', filter: FILTER, isNegated: false },
        { kind: 'cohort', cohortId: 'c', isNegated: true },
      ],
    },
  ],
}

function decode(json: JsonObject): DefinitionDraft | undefined {
  return decodeDefinition(fromJson(CohortDefinitionSchema, json))
}

test('a stored definition opens as it was saved', () => {
  const definition = encodeDefinition(WHOLE)
  expect(definition && decodeDefinition(definition)).toEqual(WHOLE)
})

test('incomplete conditions, and groups without a complete one, are left out', () => {
  const draft: DefinitionDraft = {
    operator: 'LOGICAL_OPERATOR_AND',
    rows: [
      newCondition('property'),
      newCondition('cohort'),
      { kind: 'group', operator: 'LOGICAL_OPERATOR_OR', conditions: [newCondition('property')] },
    ],
  }
  expect(completeRows(draft)).toEqual([])
  expect(encodeDefinition(draft)).toBeUndefined()
  const more = { ...draft, rows: [...draft.rows, ...newDefinition().rows] }
  expect(completeRows(more)).toEqual(newDefinition().rows)
})

test('each complete row has the definition of the rows up to it', () => {
  const [performed, first, group] = WHOLE.rows
  const rows = [performed, newCondition('cohort'), first, group].filter((row) => row !== undefined)
  const counted = definitionsByRow({ ...WHOLE, rows })
  expect(counted.map(({ at }) => at)).toEqual([0, 2, 3])
  expect(counted.map(({ definition }) => decodeDefinition(definition)?.rows)).toEqual([
    [performed],
    [performed, first],
    [performed, first, group],
  ])
  expect(counted.at(-1)?.definition).toEqual(encodeDefinition(WHOLE))
})

test('the conditions of a list of people are a definition where a cohort can have them', () => {
  const list = { search: '', filters: [FILTER], cohorts: [{ cohortId: 'c', negate: true }] }
  const definition = definitionOfList(list)
  expect(definition && decodeDefinition(definition)).toEqual({
    operator: 'LOGICAL_OPERATOR_AND',
    rows: [
      { kind: 'property', filter: FILTER, isNegated: false },
      { kind: 'cohort', cohortId: 'c', isNegated: true },
    ],
  })
  expect(definitionOfList({ ...list, search: 'ann' })).toBeUndefined()
  const page = { ...FILTER, source: 'PROPERTY_SOURCE_AUTO' } as const
  expect(definitionOfList({ ...list, filters: [FILTER, page] })).toBeUndefined()
  expect(definitionOfList({ ...list, filters: [FILTER, { ...FILTER, values: [] }] })).toBeUndefined()
  expect(definitionOfList({ search: '', filters: [], cohorts: [] })).toBeUndefined()
})

test('a single condition opens as a row', () => {
  expect(decode({ condition: { performed: { event: { kind: 'a' } } } })).toEqual({
    operator: 'LOGICAL_OPERATOR_AND',
    rows: [
      {
        kind: 'performed',
        event: 'a',
        filters: [],
        days: 0,
        operator: 'OPERATOR_AT_LEAST',
        count: 1,
        isNegated: false,
      },
    ],
  })
})

describe('the editor does not open', () => {
  const condition = { condition: { performed: {} } }
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  test.each<readonly [string, JsonObject]>([
    ['fixed dates', { condition: { performed: { window: { range } } } }],
    ['fixed dates of a first event', { condition: { firstPerformed: { window: { range } } } }],
    ['a negated group', { group: { members: [condition], negate: true } }],
    [
      'a negated group in a group',
      { group: { members: [{ group: { members: [condition], negate: true } }] } },
    ],
    [
      'groups in groups in groups',
      { group: { members: [{ group: { members: [{ group: { members: [condition] } }] } }] } },
    ],
  ])('%s', (_, json) => {
    expect(decode(json)).toBeUndefined()
  })
})

test('ids are read line by line, each once', () => {
  expect(parseIds(' a \n\nb\na\r\nc d\n')).toEqual(['a', 'b', 'c d'])
})
