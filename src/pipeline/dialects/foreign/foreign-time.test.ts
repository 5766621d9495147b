import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { parseRfc3339 } from '../../decode/rfc3339.ts'
import { parseForeignTime } from './foreign-time.ts'

test('a time of the common form is read as any other, whatever was read before', () => {
  const part = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'))
  const day = fc.oneof(
    fc.constantFrom('2026-01-20', '2026-01-21', '2024-02-29', '2026-02-29', '0000-01-01', '20260120-1'),
    fc.tuple(part, part, part, part).map(([a, b, month, date]) => `${a}${b}-${month}-${date}`),
  )
  const time = fc
    .tuple(day, part, part, part, fc.constantFrom('.321Z', '.000Z', '.32xZ', ',321Z', '.32+Z'))
    .map(([date, hour, minute, second, rest]) => `${date}T${hour}:${minute}:${second}${rest}`)
  fc.assert(
    fc.property(fc.oneof(time, fc.date({ noInvalidDate: true }).map(String)), (text) => {
      const isCommon = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text)
      expect(parseForeignTime(text)).toBe(isCommon ? parseRfc3339(text) : undefined)
    }),
    { numRuns: propertyRuns(2000) },
  )
})

test.each(['{"toString":"__proto__"}', '{"valueOf":1,"toString":2}', '[]', 'null', '5', 'true'])(
  'a value that is no text is no time: %s',
  (json) => {
    expect(parseForeignTime(JSON.parse(json))).toBeUndefined()
  },
)
