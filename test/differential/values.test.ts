import { describe, expect, test } from 'vitest'
import { type PlainValue, sampleEvents, sampleProfile, typed } from './sample.ts'
import { parsePlainDecimal, propertyText, readProperty, readTrait, readTyped } from './values.ts'

describe('text and number of a value', () => {
  test.each<[value: PlainValue, text: string, number: number | undefined]>([
    [9007199254740993n, '9007199254740993', 9007199254740992],
    [-5n, '-5', -5],
    [1, '1', 1],
    [-0, '0', -0],
    [1e21, '1e+21', 1e21],
    [0.000001, '0.000001', 0.000001],
    [1e-7, '1e-7', 1e-7],
    [true, 'true', undefined],
    [new Date('2026-01-05T12:00:00Z'), '2026-01-05T12:00:00.000Z', undefined],
    ['', '', undefined],
    ['12', '12', 12],
    ['-1.50', '-1.50', -1.5],
    ['007', '007', 7],
  ])('%s', (value, text, number) => {
    expect(readTyped(typed(value))).toEqual({ text, number })
  })

  test.each([
    'nan',
    'inf',
    ' 12',
    '12 ',
    '0x10',
    '1e5',
    '.5',
    '5.',
    '-',
    '+5',
    '',
    '1,5',
    '9'.repeat(400),
    '1\n',
  ])('the text %j is no number', (text) => {
    expect(parsePlainDecimal(text)).toBeUndefined()
  })
})

function read(properties: Record<string, PlainValue>, name: string): string | undefined {
  const [event] = sampleEvents([{ at: '12:00', properties }])
  return event === undefined ? undefined : readProperty(event, name)?.text
}

describe('dotted names', () => {
  test.each<[title: string, properties: Record<string, PlainValue>, name: string, text: string | undefined]>([
    ['the flat key comes first', { 'a.b': 'flat', a: '{"b":"nested"}' }, 'a.b', 'flat'],
    ['the flat key may be empty', { 'a.b': '', a: '{"b":"nested"}' }, 'a.b', ''],
    ['the longest prefix comes next', { 'a.b': '{"c":1}', a: '{"b":{"c":2}}' }, 'a.b.c', '1'],
    ['a prefix without the key is passed', { 'a.b': '{"d":1}', a: '{"b":{"c":2}}' }, 'a.b.c', '2'],
    ['a prefix that is no JSON is passed', { 'a.b': '{c:1}', a: '{"b":{"c":2}}' }, 'a.b.c', '2'],
    ['a prefix that is no text is passed', { 'a.b': 5n, a: '{"b":{"c":2}}' }, 'a.b.c', '2'],
    ['null is not set', { a: '{"b":null}' }, 'a.b', undefined],
    [
      'a nested object is JSON text',
      { a: '{"b":{"c":[1,"x",null,true]}}' },
      'a.b',
      '{"c":[1,"x",null,true]}',
    ],
    ['a nested array is JSON text', { a: '{"b":[]}' }, 'a.b', '[]'],
    ['a nested double is shortest', { a: '{"b":1.0}' }, 'a.b', '1'],
    ['a nested integer keeps its digits', { a: '{"b":9007199254740993}' }, 'a.b', '9007199254740993'],
    ['a nested flag is a word', { a: '{"b":false}' }, 'a.b', 'false'],
    ['nothing is inherited', { a: '{}' }, 'a.constructor', undefined],
    ['an array has no keys', { a: '[1]' }, 'a.0', undefined],
    ['no value', {}, 'a.b', undefined],
  ])('%s', (_title, properties, name, text) => {
    expect(read(properties, name)).toBe(text)
  })

  test('a missing property reads as the empty text', () => {
    const texts = sampleEvents([{ at: '12:00' }]).map((event) => propertyText(event, 'plan'))
    expect(texts).toEqual([''])
  })
})

test('traits are plain JSON', () => {
  const profile = sampleProfile('anna', {
    traits: { age: 41, tier: null, tags: ['a', 1], address: { city: 'Bonn', geo: { lat: 50.7, lon: null } } },
  })
  const names = ['age', 'tier', 'tags', 'address', 'address.city', 'address.geo.lat', 'address.geo.lon', 'x']
  expect(names.map((name) => readTrait(profile, name)?.text)).toEqual([
    '41',
    undefined,
    '["a",1]',
    '{"city":"Bonn","geo":{"lat":50.7,"lon":null}}',
    'Bonn',
    '50.7',
    undefined,
    undefined,
  ])
})
