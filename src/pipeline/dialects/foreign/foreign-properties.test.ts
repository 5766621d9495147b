import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { checkPropertyKey, cutText, SERVER_OWNED_PROPERTIES } from '../../event/event-rules.ts'
import type { ForeignNames } from './foreign-names.ts'
import { ForeignProperties } from './foreign-properties.ts'

const NAMES: ForeignNames = {
  kinds: {},
  properties: { url: '$url', href: '$url', kind: '$deviceType', version: '$browserVersion' },
  omitted: new Set(['token', 'ip']),
}

type Member = readonly [name: string, plain: unknown]

/** The rules one after another, over an object with the last value of each name. */
function fitSlowly(members: readonly Member[]): Readonly<Record<string, unknown>> {
  const kept = [...new Map(members)].filter(([name, plain]) => {
    const isOmitted = NAMES.omitted.has(name) || SERVER_OWNED_PROPERTIES.has(name)
    const isValue = plain !== null && (typeof plain !== 'number' || Number.isFinite(plain))
    return !isOmitted && isValue
  })
  const named = kept.map(([name, plain]): Member => {
    const key = Object.hasOwn(NAMES.properties, name) ? (NAMES.properties[name] ?? '') : name
    return [key, key.startsWith('$') && typeof plain === 'number' && key in TEXTS ? String(plain) : plain]
  })
  const ownNames = new Set(kept.filter(([name], index) => name === named[index]?.[0]).map(([name]) => name))
  const fitting = new Map<string, unknown>()
  for (const [index, [key, plain]] of named.entries()) {
    const isRenamed = kept[index]?.[0] !== key
    if (isRenamed && (ownNames.has(key) || fitting.has(key))) continue
    if (checkPropertyKey(key, key.startsWith('$') ? 'auto' : 'custom') !== undefined) continue
    const text = typeof plain === 'string' ? cutText(plain).toWellFormed() : plain
    const isLower = key === '$deviceType' && typeof text === 'string'
    fitting.set(key, isLower ? text.toLowerCase() : typeof plain === 'object' ? JSON.stringify(plain) : text)
  }
  return Object.fromEntries(fitting)
}

/** Keys of the table whose values are texts. */
const TEXTS = { $url: true, $deviceType: true, $browserVersion: true }

const name = fc.oneof(
  fc.constantFrom(
    'url',
    'href',
    '$url',
    'kind',
    '$deviceType',
    'version',
    'token',
    '$ip',
    'a',
    'constructor',
    '',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constant('x'.repeat(300)),
)
const plain = fc.oneof(
  fc.constantFrom<unknown>(null, true, 1.5, 7, 'Mobile', 'x'.repeat(1100), 'a\udc00', { a: [1] }, Number.NaN),
  fc.string(),
)

test('properties are those of an object with the last value of each name', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, plain), { maxLength: 20 }), (members) => {
      const properties = new ForeignProperties(NAMES)
      for (const [key, value] of members) properties.add(key, value)
      const found = Array.from(properties.fit([]), ({ key, value }) => [
        key,
        typeof value.value === 'bigint' ? Number(value.value) : value.value,
      ])
      expect(Object.fromEntries(found)).toEqual(fitSlowly(members))
      expect(new Set(found.map(([key]) => key)).size).toBe(found.length)
    }),
    { numRuns: propertyRuns(1000) },
  )
})

test('what is changed or left out is counted, and a list knows nothing of the one before', () => {
  const first = new ForeignProperties(NAMES)
  first.addAll({ '': 1, ['y'.repeat(300)]: 1, text: 'x'.repeat(1100), broken: '\ud800' })
  const changes: Parameters<ForeignProperties['fit']>[0] = []
  first.fit(changes)
  expect(changes).toEqual(['text_cut', 'characters_replaced', 'property_left_out', 'property_left_out'])
  const second = new ForeignProperties(NAMES)
  second.add('a', 1)
  expect([second.has('a'), second.has('text')]).toEqual([true, false])
  expect(second.fit([]).keys).toEqual(['a'])
})
