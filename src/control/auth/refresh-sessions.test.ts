import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/local-postgres.ts'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertCustomer } from '../customers/customers.ts'
import { beginSession, continueSession, endOtherSessions, endSession } from './refresh-sessions.ts'

const DAY_MS = 24 * 3_600_000

describeCatalog('refresh sessions', (under) => {
  let catalog: Catalog
  let nowMs: number
  let clock: Clock
  let customerId: CustomerId

  beforeEach(async () => {
    catalog = under.catalog
    nowMs = 1_800_000_000_000
    clock = { nowMs: () => nowMs }
    customerId = await insertCustomer(catalog, clock, {
      email: 'alice@example.org',
      displayName: 'Alice',
      isEmailVerified: true,
      passwordHash: undefined,
    })
  })

  async function refresh(token: string): Promise<string | undefined> {
    return await refreshAgain(token, 0)
  }

  /** As another process would. */
  async function refreshAgain(refreshToken: string, repeatMs: number): Promise<string | undefined> {
    const key = Buffer.alloc(32, 1)
    return (await continueSession({ catalog, clock, key }, { refreshToken, repeatMs }))?.refreshToken
  }

  async function expectGood(token: string | undefined): Promise<string> {
    const next = await refresh(token ?? '')
    if (next === undefined) throw new Error('the token is not good')
    return next
  }

  test('a token is good for one refresh, and its successor for the next', async () => {
    const first = await beginSession(catalog, clock, customerId)
    const ports = { catalog, clock, key: Buffer.alloc(32, 1) }
    const second = await continueSession(ports, { refreshToken: first.refreshToken, repeatMs: 0 })
    expect(second).toMatchObject({ sessionId: first.sessionId, customerId })
    expect(second?.refreshToken).not.toBe(first.refreshToken)
    await expectGood(second?.refreshToken)
  })

  test('a token that is used a second time ends its session, and no other one', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const other = await beginSession(catalog, clock, customerId)
    const next = await expectGood(refreshToken)
    expect(await refresh(refreshToken)).toBeUndefined()
    expect(await refresh(next)).toBeUndefined()
    await expectGood(other.refreshToken)
  })

  test('a token of two refreshes ago ends the session too', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const last = await expectGood(await expectGood(refreshToken))
    expect(await refresh(refreshToken)).toBeUndefined()
    expect(await refresh(last)).toBeUndefined()
  })

  test('of refreshes with one token at once, at most one is answered, and the session ends', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const tokens = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    const answered = tokens.filter((token) => token !== undefined)
    expect(answered).toHaveLength(1)
    expect(await refresh(answered[0] ?? '')).toBeUndefined()
  })

  test('of repeats at once and within their time, all are answered alike', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const again = async (): Promise<string | undefined> => await refreshAgain(refreshToken, 10_000)
    const [next, ...others] = await Promise.all([again(), again(), again()])
    nowMs += 9_999
    expect([...others, await again()]).toEqual([next, next, next])
    await expectGood(next)
  })

  test('a repeat after its time ends the session', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const next = await refreshAgain(refreshToken, 10_000)
    nowMs += 10_000
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(next ?? '')).toBeUndefined()
  })

  test('a repeat after the successor was exchanged ends the session', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const last = await expectGood(await expectGood(refreshToken))
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(last)).toBeUndefined()
  })

  test('who knows a token, but not the key, cannot tell the next one', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const ports = { catalog, clock, key: Buffer.alloc(32, 2) }
    const guessed = await continueSession(ports, { refreshToken, repeatMs: 10_000 })
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(guessed?.refreshToken ?? '')).toBeUndefined()
  })

  test('who comes back within 90 days stays signed in', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    nowMs += 90 * DAY_MS - 1
    const next = await expectGood(refreshToken)
    nowMs += 90 * DAY_MS
    expect(await refresh(next)).toBeUndefined()
  })

  test('a session that was ended does not go on', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const next = await expectGood(refreshToken)
    await endSession(catalog, next)
    expect(await refresh(next)).toBeUndefined()
    await endSession(catalog, next)
  })

  test('ending the other sessions leaves the one', async () => {
    const kept = await beginSession(catalog, clock, customerId)
    const ended = await beginSession(catalog, clock, customerId)
    await endOtherSessions(catalog, kept)
    expect(await refresh(ended.refreshToken)).toBeUndefined()
    await expectGood(kept.refreshToken)
  })

  test('a session leaves no token in the catalog, and no row when it is over', async () => {
    const { refreshToken } = await beginSession(catalog, clock, customerId)
    const rows = JSON.stringify(await catalog.selectFrom('refresh_sessions').selectAll().execute())
    expect(rows).toContain(customerId)
    expect(rows).not.toContain(refreshToken)
    nowMs += 90 * DAY_MS
    await beginSession(catalog, clock, customerId)
    expect(await catalog.selectFrom('refresh_sessions').selectAll().execute()).toHaveLength(1)
  })

  test.each(['', 'x', '00000000-0000-0000-0000-000000000000.x', `${'0'.repeat(36)}.${'a'.repeat(43)}`])(
    'what is no token of ours is not good: %j',
    async (token) => {
      expect(await refresh(token)).toBeUndefined()
    },
  )
})
