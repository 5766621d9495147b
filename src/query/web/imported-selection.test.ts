import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import {
  Dimension,
  QueryOverviewRequestSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import type { StoredImport } from '../imported/import-store.ts'
import { findScope, importedDaysOf } from './imported-selection.ts'

type Request = MessageInitShape<typeof QueryOverviewRequestSchema>

const PROJECT = { projectId: asProjectId(7), projectTimeZone: 'UTC' }
const MARCH = { fromMs: Date.UTC(2025, 2, 1), toMs: Date.UTC(2025, 3, 1) }

const IMPORT: StoredImport = {
  id: '0197a1c0-0000-4000-8000-000000000000',
  name: 'a',
  digest: 'a',
  firstDay: '2025-03-01',
  lastDay: '2025-03-31',
  shownUntil: '2025-03-31',
  dimensions: [Dimension.COUNTRY, Dimension.PAGE],
  batches: 1,
  rows: 1,
  createdMs: 1,
  finishedMs: 1,
}

function find(request: Request, dimension?: Dimension, range = MARCH) {
  const imported = importedDaysOf(create(QueryOverviewRequestSchema, request), PROJECT, [IMPORT])
  return findScope(imported, range, dimension)
}

const { EQUALS, CONTAINS } = FilterOperator
const GERMANY = { dimension: Dimension.COUNTRY, operator: EQUALS, value: 'DE' } as const
const DOCS = { dimension: Dimension.PAGE, operator: CONTAINS, value: '/docs' } as const

test.each<readonly [string, Request, Dimension]>([
  ['no condition', {}, Dimension.UNSPECIFIED],
  ['one of a visit', { filters: [GERMANY] }, Dimension.COUNTRY],
  ['one page', { filters: [{ ...DOCS, operator: EQUALS }] }, Dimension.PAGE],
])('imported days answer %s', (_, request, dimension) => {
  expect(find(request)).toMatchObject({ state: ImportedState.INCLUDED, scope: { dimension } })
})

test.each<readonly [string, Request]>([
  ['two conditions', { filters: [GERMANY, GERMANY] }],
  ['a cohort', { cohorts: [{}] }],
  ['several pages, of which a visit has some', { filters: [DOCS] }],
  ['the first visit of a person', { filters: [{ ...GERMANY, source: PropertySource.FIRST_TOUCH }] }],
  ['a goal', { filters: [{ ...GERMANY, dimension: Dimension.GOAL }] }],
  ['a dimension that no import has', { filters: [{ ...GERMANY, dimension: Dimension.OS }] }],
])('imported days leave out what they cannot answer, and say so: %s', (_, request) => {
  expect(find(request).state).toBe(ImportedState.NOT_FILTERABLE)
})

test('a table has the days that have its dimension, and the condition must be on it', () => {
  expect(find({}, Dimension.PAGE)).toMatchObject({ scope: { dimension: Dimension.PAGE } })
  expect(find({}, Dimension.OS).state).toBe(ImportedState.NO_SUCH_DIMENSION)
  expect(find({ filters: [GERMANY] }, Dimension.PAGE).state).toBe(ImportedState.NOT_FILTERABLE)
})

test('a range without an imported day has no state', () => {
  const april = { fromMs: Date.UTC(2025, 3, 1), toMs: Date.UTC(2025, 4, 1) }
  expect(find({}, undefined, april).state).toBe(ImportedState.UNSPECIFIED)
})
