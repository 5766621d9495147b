import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { render } from '../sql/sql.ts'
import { addSums, compileDays, type ImportedSums, toImportedMetrics } from './imported-numbers.ts'

const SUMS: ImportedSums = {
  visitors: 3,
  visits: 4,
  pageViews: 10,
  bounces: 1,
  visitSeconds: 200,
  events: undefined,
}

test('measures follow from sums, and one that needs an unknown sum is absent', () => {
  expect(toImportedMetrics(SUMS)).toEqual({
    dailyVisitors: 3n,
    visits: 4n,
    pageViews: 10n,
    viewsPerVisit: 2.5,
    bounceRate: 25,
    visitDurationSeconds: 50,
  })
  expect(toImportedMetrics({ ...SUMS, bounces: undefined })).not.toHaveProperty('bounceRate')
  expect(toImportedMetrics({ ...SUMS, visits: 0, bounces: 0 })).toMatchObject({ bounceRate: 0 })
})

test('sums add up, and are unknown where one of them is', () => {
  expect(addSums([])).toBeUndefined()
  expect(addSums([SUMS, SUMS])).toMatchObject({ visitors: 6, visits: 8, pageViews: 20, events: undefined })
  expect(addSums([SUMS, { ...SUMS, bounces: undefined, events: 2 }])).toMatchObject({
    bounces: undefined,
    events: undefined,
  })
})

test('a statement has the rows of the dimension in the days of their import, of one project', () => {
  const days = [
    {
      importId: '0197a1c0-0000-4000-8000-000000000000',
      from: '2025-03-01',
      to: '2025-03-09',
      dimensions: [],
    },
  ]
  const { text } = render(compileDays({ projectId: asProjectId(7), days, dimension: 0 }).statement)
  expect(text).toContain('FROM imported_days FINAL WHERE project = ')
  expect(text).toMatch(/AND dimension = \{.*AND \(import_id = \{[^}]+\} AND day BETWEEN /)
})
