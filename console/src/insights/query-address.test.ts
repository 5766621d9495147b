import { describe, expect, test } from 'vitest'
import { newDraft } from './model/draft.ts'
import {
  type InsightQuery,
  readQuery,
  readTile,
  writeQuery,
  writeStoredQuery,
  writeTile,
} from './query-address.ts'
import { encodeDraft, parseSpec, writeSpec } from './spec.ts'

const spec = writeSpec(parseSpec(JSON.stringify(encodeDraft({ ...newDraft(), type: 'INSIGHT_TYPE_MAP' }))))
const WITH_BOTS = { excludeBots: false }
const query: InsightQuery = {
  spec,
  period: { from: '2026-01-01', to: '2026-01-31' },
  granularity: 'GRANULARITY_WEEK',
  compare: 'previous',
}

describe('the address of a query', () => {
  test('is read as it was written', () => {
    const { draft, ...read } = readQuery(new URLSearchParams(writeQuery(query)), WITH_BOTS)
    expect(read).toEqual(query)
    expect(draft.type).toBe('INSIGHT_TYPE_MAP')
  })

  test('names the previous period only where the query compares', () => {
    expect(writeQuery(query)).toMatchObject({ range: '2026-01-01..2026-01-31', compare: 'prior' })
    expect(writeQuery({ ...query, compare: 'none' })).not.toHaveProperty('compare')
    expect(writeStoredQuery({ ...query, view: 'pie' })).toEqual({ spec, view: 'pie', compare: 'prior' })
  })

  test.each([
    ['nothing', {}],
    ['a broken spec', { spec: '{"events": 5}', range: 'yesterday', granularity: 'toString', compare: 'x' }],
    ['a date that does not exist', { range: '2026-02-01..2026-02-30' }],
  ])('with %s is that of a new query', (_, parameters) => {
    const { draft, ...read } = readQuery(new URLSearchParams(parameters as Record<string, string>), WITH_BOTS)
    expect(draft).toEqual(newDraft())
    expect(read).toMatchObject({ period: 'LAST_7_DAYS', granularity: 'GRANULARITY_DAY', compare: 'none' })
  })

  test('a new query follows the project, a query of the address does not', () => {
    const read = (parameters: Record<string, string>) =>
      readQuery(new URLSearchParams(parameters), { excludeBots: true })
    expect(read({}).draft).toEqual({ ...newDraft(), excludeBots: true })
    expect(parseSpec(read({}).spec).excludeBots).toBe(true)
    expect(read({ spec }).draft.excludeBots).toBe(false)
    const without = writeSpec(parseSpec(JSON.stringify(encodeDraft({ ...newDraft(), excludeBots: true }))))
    expect(read({ spec: without }).draft.excludeBots).toBe(true)
  })

  test('replaces a granularity that is too narrow for its preset', () => {
    const read = (range: string, granularity: string) =>
      readQuery(new URLSearchParams({ range, granularity }), WITH_BOTS).granularity
    expect(read('LAST_30_DAYS', 'GRANULARITY_MINUTE')).toBe('GRANULARITY_DAY')
    expect(read('LAST_6_HOURS', 'GRANULARITY_MINUTE')).toBe('GRANULARITY_MINUTE')
    // The page shows the problem of a custom range.
    expect(read('2026-01-01..2026-01-31', 'GRANULARITY_MINUTE')).toBe('GRANULARITY_MINUTE')
  })

  test('names a tile by its dashboard and its ID', () => {
    const tile = { dashboardId: 'd', tileId: 't' }
    expect(readTile(new URLSearchParams(writeTile(tile)))).toEqual(tile)
    expect(readTile(new URLSearchParams({ dashboard: 'd' }))).toBeUndefined()
    expect(readTile(new URLSearchParams({ tile: 't' }))).toBeUndefined()
  })
})
