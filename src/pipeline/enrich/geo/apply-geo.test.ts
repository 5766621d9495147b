import { expect, test } from 'vitest'
import { MapRow } from '../../../../test/harness/map-row.ts'
import { applyGeo } from './apply-geo.ts'

const client = [
  ['$country', { type: 'int', value: 1n }],
  ['$city', { type: 'string', value: 'Atlantis' }],
  ['$latitude', { type: 'string', value: 'north' }],
  ['$other', { type: 'bool', value: true }],
] as const

test('a known place replaces all that the client sent, of any type', () => {
  const row = new MapRow(client)
  applyGeo(row, { country: 'DE', region: 'Berlin', latitude: 52.5 })
  expect(Object.fromEntries(row.properties)).toEqual({
    $country: { type: 'string', value: 'DE' },
    $region: { type: 'string', value: 'Berlin' },
    $latitude: { type: 'double', value: 52.5 },
    $other: { type: 'bool', value: true },
  })
})

test('a client keeps its values when nothing is known', () => {
  const row = new MapRow(client)
  applyGeo(row, undefined)
  expect([...row.properties]).toEqual(client)
})
