import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveEventProperty } from '../../domain/insights/property.ts'
import { render } from '../sql/sql.ts'
import { eventPropertyText, eventPropertyTextAmong } from './event-property.ts'

const MAPS = ['strings', 'ints', 'doubles', 'bools', 'times']

test.each([
  [['pro'], ['strings']],
  [['pro', 'free'], ['strings']],
  [['12'], ['strings', 'ints', 'doubles']],
  [['-12'], ['strings', 'ints', 'doubles']],
  [['1.5'], ['strings', 'doubles']],
  [['1e+21'], ['strings', 'doubles']],
  [['inf'], ['strings', 'doubles']],
  [['-nan'], ['strings', 'doubles']],
  [['true'], ['strings', 'bools']],
  [['2026-01-01T00:00:00.000Z'], ['strings', 'doubles', 'times']],
  [
    ['pro', 'false'],
    ['strings', 'bools'],
  ],
  [['pro', ''], MAPS],
])('%j is searched in %j', (texts, maps) => {
  expect(mapsRead(texts)).toEqual(maps)
})

test('a numeric text is also searched in the map of doubles', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      expect(mapsRead([String(double)])).toContain('doubles')
    }),
  )
})

test('an integer text is also searched in the map of integers', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (int) => {
      expect(mapsRead([String(int)])).toContain('ints')
    }),
  )
})

test('an instant text is also searched in the map of instants', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(mapsRead([date.toISOString()])).toContain('times')
    }),
  )
})

test('a promoted property is read from its column, and a nested one in full', () => {
  for (const name of ['$browser', 'cart.total']) {
    const property = resolveEventProperty(name)
    expect(render(eventPropertyTextAmong(property, ['pro']))).toEqual(render(eventPropertyText(property)))
  }
})

function mapsRead(texts: readonly string[]): readonly string[] {
  const property = resolveEventProperty('plan')
  if (property.home !== 'maps') throw new Error('the property is in no map')
  const { text } = render(eventPropertyTextAmong(property, texts))
  return MAPS.filter((map) => text.includes(`${map}[`))
}
