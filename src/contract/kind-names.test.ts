import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../test/harness/profile.ts'
import { decodeKindName, encodeKindName, KIND_LENGTH_MAX } from './kind-names.ts'

/** Names of all sorts, many of them nearly equal. */
const NAMES = fc.oneof(
  fc.string({
    unit: fc.constantFrom(' ', '.', '_', '-', 'a', '2', '$', '\u00fc', '\u{1f600}'),
    minLength: 1,
    maxLength: 12,
  }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.constantFrom('service.', 'service.started', '..', '.._', '..20.', '...', '\ud800', 'a\u0000'),
)
const LONG_NAMES = fc
  .tuple(NAMES, fc.integer({ min: 100, max: 400 }))
  .map(([name, length]) => name.repeat(length))

/** The rule of kinds. */
const KIND = /^(?!service\.)[a-zA-Z0-9_.-]{1,200}$/

const runs = { numRuns: propertyRuns(2000) }

describe('the kind of a name', () => {
  test.each([
    ['page_view', 'page_view'],
    ['Order-2.shipped', 'Order-2.shipped'],
    ['Sign Up', 'Sign.._Up'],
    ['Sign_Up', 'Sign_Up'],
    ['$rageclick', '..24.rageclick'],
    ['\u00dcber-uns', '..dc.ber-uns'],
    ['\u6ce8\u518c', '..6ce8_518c.'],
    ['v1.0 out', 'v1..2e.0.._out'],
    ['service.x', '..73.ervice..2e.x'],
    ['service desk', '..73.ervice.._desk'],
    ['Sign.._Up', 'Sign..2e_2e._Up'],
  ])('%j is %s', (name, kind) => {
    expect(encodeKindName(name)).toBe(kind)
    expect(decodeKindName(kind)).toBe(name)
  })

  test('is a valid kind, and shows the whole name unless that is too long', () => {
    fc.assert(
      fc.property(fc.oneof(NAMES, LONG_NAMES), (name) => {
        const kind = encodeKindName(name)
        expect(kind).toMatch(KIND)
        const shown = decodeKindName(kind)
        expect(shown === name || (shown.endsWith('\u2026') && name.startsWith(shown.slice(0, -1)))).toBe(true)
        expect(shown === name || name.length > 20).toBe(true)
      }),
      runs,
    )
  })

  test('is that of no other name', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(NAMES, LONG_NAMES), { maxLength: 40 }), (names) => {
        expect(new Set(names.map(encodeKindName)).size).toBe(names.length)
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test('of names that differ after a long beginning differs', () => {
    const [left, right] = ['a', 'b'].map((end) => `${'long '.repeat(60)}${end}`)
    expect(encodeKindName(left ?? '')).not.toBe(encodeKindName(right ?? ''))
    expect(encodeKindName(left ?? '')).toHaveLength(KIND_LENGTH_MAX)
    expect(decodeKindName(encodeKindName(left ?? ''))).toMatch(/^(long )+.{0,4}\u2026$/)
  })
})

test.each(['a..b', '..', '...', 'x..20', 'x..020.', 'x..ffffffff.', '..20.', 'x..2E.', 'a..-0', 'a..61.'])(
  'the kind %j, which no name has, is shown as it is',
  (kind) => {
    expect(decodeKindName(kind)).toBe(kind)
  },
)
