import { beforeEach, expect, test } from 'vitest'
import { Sealer } from '../../kernel/sealer.ts'
import { ShareGrants } from './share-grants.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000
const SHARE = { shareId: 'a'.repeat(22), sharePasswordHash: 'hash', shareExpiresMs: 0 }

let nowMs: number
let grants: ShareGrants

beforeEach(() => {
  nowMs = START_MS
  grants = new ShareGrants(new Sealer(Buffer.alloc(32, 1)), { nowMs: () => nowMs })
})

test('a grant is valid for twelve hours', () => {
  const { grant, expiresMs } = grants.issue(SHARE)
  expect(expiresMs).toBe(START_MS + 12 * HOUR_MS)
  nowMs = expiresMs - 1
  expect(grants.accepts(SHARE, grant)).toBe(true)
  nowMs = expiresMs
  expect(grants.accepts(SHARE, grant)).toBe(false)
})

test('a grant ends with its share', () => {
  const share = { ...SHARE, shareExpiresMs: START_MS + HOUR_MS }
  expect(grants.issue(share).expiresMs).toBe(share.shareExpiresMs)
})

test('a grant is of one share, of one password and of one service', () => {
  const { grant } = grants.issue(SHARE)
  expect(grants.accepts({ ...SHARE, shareId: 'b'.repeat(22) }, grant)).toBe(false)
  expect(grants.accepts({ ...SHARE, sharePasswordHash: 'other' }, grant)).toBe(false)
  const others = new ShareGrants(new Sealer(Buffer.alloc(32, 2)), { nowMs: () => nowMs })
  expect(others.accepts(SHARE, grant)).toBe(false)
})

test('a grant whose time or digest was changed is refused', () => {
  const [expiry = '', digest = ''] = grants.issue(SHARE).grant.split('.')
  const later = String(Number(expiry) + HOUR_MS)
  const forged = [`${later}.${digest}`, `0.${digest}`, `${expiry}.${'0'.repeat(64)}`]
  expect(forged.map((grant) => grants.accepts(SHARE, grant))).toEqual([false, false, false])
})

test.each(['', '.', '1', 'x'.repeat(256), `9e15.${'0'.repeat(64)}`, `1.${'é'.repeat(64)}`])(
  'malformed text is no grant: %j',
  (grant) => {
    expect(grants.accepts(SHARE, grant)).toBe(false)
  },
)
