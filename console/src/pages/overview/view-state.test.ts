import { describe, expect, test } from 'vitest'
import {
  filterOfRow,
  isBroken,
  readState,
  toggleFilter,
  type ViewState,
  type VisitFilter,
  writeState,
} from './view-state.ts'

const USUAL: ViewState = {
  period: { last: 30, unit: 'days' },
  compare: 'previous',
  interval: undefined,
  metric: 'visitors',
  filters: [],
  cohorts: [],
}

const GERMANY: VisitFilter = { dimension: 'country', operator: 'is', value: 'DE' }

describe('the address of the overview', () => {
  test.each<[address: string, state: Partial<ViewState>]>([
    ['', {}],
    ['range=today&interval=hour', { period: 'today', interval: 'hour' }],
    [
      'range=2026-10-24..2026-11-22&compare=year',
      { period: { from: '2026-10-24', to: '2026-11-22' }, compare: 'year' },
    ],
    [
      'cohort=c1%2C%21c2',
      {
        cohorts: [
          { cohortId: 'c1', negate: false },
          { cohortId: 'c2', negate: true },
        ],
      },
    ],
    ['compare=none&metric=bounce', { compare: 'none', metric: 'bounce' }],
    [
      'filter=country%3Ais%3ADE&filter=page%3Acontains%3A%2Fa%3Ab',
      { filters: [GERMANY, { dimension: 'page', operator: 'contains', value: '/a:b' }] },
    ],
    [
      'filter=referrer%3Ais-not-set',
      { filters: [{ dimension: 'referrer', operator: 'is-not-set', value: '' }] },
    ],
  ])('"%s" gives its state, and the state the address', (address, state) => {
    expect(readState(new URLSearchParams(address))).toEqual({ ...USUAL, ...state })
    expect(writeState(new URLSearchParams(), { ...USUAL, ...state }).toString()).toBe(address)
  })

  test.each([
    ['range=2026-02-30..2026-03-01', true],
    ['compare=sometimes', true],
    ['interval=second', true],
    ['metric=toString', true],
    ['range=&compare=previous&metric=visitors', false],
    ['filter=colour:is:red', true],
    ['filter=country:is:', true],
    ['filter=country:is-set:DE&filter=country&filter=toString:is:1', true],
  ])('"%s" cannot be read, and gives the defaults', (address, broken) => {
    expect(readState(new URLSearchParams(address))).toEqual(USUAL)
    expect(isBroken(new URLSearchParams(address))).toBe(broken)
  })

  test.each([
    ['all of its filters', 'range=today&filter=country:is:DE&filter=referrer:is-not-set', false],
    ['a filter of another release', 'filter=country:is:DE&filter=country:is-like:DE', true],
    ['more filters than fit', 'filter=country:is-not:DE&'.repeat(21), true],
  ])('with %s tells whether its numbers are those of the sender', (_, address, broken) => {
    expect(isBroken(new URLSearchParams(address))).toBe(broken)
  })

  test('keeps the parameters of others, and at most 20 filters', () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ ...GERMANY, value: `${at}` }))
    const written = writeState(new URLSearchParams('pages=exit&metric=visits'), { ...USUAL, filters: many })
    expect([written.get('pages'), written.has('metric')]).toEqual(['exit', false])
    expect(readState(written).filters).toHaveLength(20)
  })
})

describe('a click on a row', () => {
  const austria = filterOfRow({ dimension: 'country', value: 'AT' }, 'is')
  test.each<
    [title: string, before: readonly VisitFilter[], added: VisitFilter, after: readonly VisitFilter[]]
  >([
    ['adds a filter', [], GERMANY, [GERMANY]],
    ['that is filtered by takes its filter away', [GERMANY], GERMANY, []],
    ['takes the place of another value', [GERMANY], austria, [austria]],
    [
      'with Alt stays beside other values',
      [filterOfRow({ dimension: 'country', value: 'DE' }, 'is not')],
      filterOfRow({ dimension: 'country', value: 'AT' }, 'is not'),
      [
        { dimension: 'country', operator: 'is-not', value: 'DE' },
        { dimension: 'country', operator: 'is-not', value: 'AT' },
      ],
    ],
    [
      'without a value filters by its absence',
      [],
      filterOfRow({ dimension: 'referrer', value: '' }, 'is'),
      [{ dimension: 'referrer', operator: 'is-not-set', value: '' }],
    ],
    [
      'without a value, with Alt, filters by its presence',
      [],
      filterOfRow({ dimension: 'referrer', value: '' }, 'is not'),
      [{ dimension: 'referrer', operator: 'is-set', value: '' }],
    ],
  ])('%s', (_, before, added, after) => {
    expect(toggleFilter(before, added)).toEqual(after)
  })
})
