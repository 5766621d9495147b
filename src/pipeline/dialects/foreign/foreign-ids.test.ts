import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { canonicalJson } from './foreign-ids.ts'
import { isObject } from './foreign-value.ts'

/** JSON of a copy whose members are in order. */
function canonicalSlowly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalSlowly).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value ?? null)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalSlowly(value[name])}`).join(',')}}`
}

test('the JSON of which ids are made depends on neither the order of names nor how it is written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\u001f', '\u007f', '\u2028', '\ud800', '\u{10000}', 'é', '10', '__proto__'),
  )
  const value = fc.anything({ key: text, values: [text, fc.double(), fc.boolean(), fc.constant(null)] })
  fc.assert(
    fc.property(value, (sent) => {
      const json = JSON.stringify(sent) ?? 'null'
      expect(canonicalJson(JSON.parse(json))).toBe(canonicalSlowly(JSON.parse(json)))
    }),
    { numRuns: propertyRuns(1000) },
  )
  expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: 'é"' })).toBe(
    '{"a":"é\\"","b":[1,{"c":null,"d":"x"}]}',
  )
})
