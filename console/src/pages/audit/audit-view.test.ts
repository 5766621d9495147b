import { timestampMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { filterOf, isFiltered, readView } from './audit-view.ts'

const NOW = { today: '2026-03-29', timeZone: 'Europe/Berlin' }

test('an address without filters shows every entry', () => {
  const view = readView(new URLSearchParams('entry=e1'))
  expect(isFiltered(view)).toBe(false)
  expect(filterOf(view, NOW)).toEqual({ actorId: '', action: '', objectId: '', credentialId: '' })
})

test('an address has the filters', () => {
  const view = readView(
    new URLSearchParams('actor=a&action=goal.create&object=+g1&credential=s&period=today'),
  )
  const { from, to, ...texts } = filterOf(view, NOW)
  expect(texts).toEqual({ actorId: 'a', action: 'goal.create', objectId: 'g1', credentialId: 's' })
  expect(isFiltered(view)).toBe(true)
  if (!from || !to) throw new Error('the filter has no period')
  // The day on which clocks go forward has 23 hours.
  expect([
    new Date(timestampMs(from)).toISOString(),
    (timestampMs(to) - timestampMs(from)) / 3_600_000,
  ]).toEqual(['2026-03-28T23:00:00.000Z', 23])
})
