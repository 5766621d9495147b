import { expect, test } from 'vitest'
import { journalBounds } from './journal-bounds.ts'

const LARGE = { journalBytesMax: 10 * 1024 ** 3, batchMs: 2000 }
const SMALL = { journalBytesMax: 1024 ** 2, batchMs: 100 }

test.each([
  ['events', LARGE, { bytesMax: 10 * 1024 ** 3, batchMs: 2000 }],
  ['identify', LARGE, { bytesMax: 1024 ** 3, batchMs: 500 }],
  ['events', SMALL, { bytesMax: 1024 ** 2, batchMs: 100 }],
  ['identify', SMALL, { bytesMax: 1024 ** 2, batchMs: 100 }],
] as const)(
  'the journal of %s takes its bounds from settings, up to its ceilings',
  (name, settings, bounds) => {
    expect(journalBounds(name, settings)).toEqual(bounds)
  },
)
