import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { endOtherSessions, endSessionOf, isSessionActive, listSessions } from './account-sessions.ts'
import { insertCustomer } from './customers.ts'
import { beginSession, continueSession, endSession, type SessionPorts } from './refresh-sessions.ts'

const DAY_MS = 24 * 3_600_000

describeCatalog('refresh sessions', (under) => {
  let catalog: Catalog
  let nowMs: number
  let clock: Clock
  let ports: SessionPorts
  let customerId: CustomerId

  beforeEach(async () => {
    catalog = under.catalog
    nowMs = 1_800_000_000_000
    clock = { nowMs: () => nowMs }
    ports = { catalog, clock, key: Buffer.alloc(32, 1) }
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
    return (await continueSession(ports, { refreshToken, repeatMs }))?.refreshToken
  }

  async function begin(method: 'password' | 'link' | 'google' = 'password') {
    return await beginSession(ports, { customerId, method })
  }

  async function expectGood(token: string | undefined): Promise<string> {
    const next = await refresh(token ?? '')
    if (next === undefined) throw new Error('the token is not good')
    return next
  }

  test('a token is valid for one refresh, and its successor for the next', async () => {
    const first = await begin()
    nowMs += 1000
    const second = await continueSession(ports, { refreshToken: first.refreshToken, repeatMs: 0 })
    expect(second).toMatchObject({ sessionId: first.sessionId, customerId, signedInMs: nowMs - 1000 })
    expect(second?.refreshToken).not.toBe(first.refreshToken)
    await expectGood(second?.refreshToken)
  })

  test('a reused token ends its session, and no other one', async () => {
    const { refreshToken } = await begin()
    const other = await begin()
    const next = await expectGood(refreshToken)
    expect(await refresh(refreshToken)).toBeUndefined()
    expect(await refresh(next)).toBeUndefined()
    await expectGood(other.refreshToken)
  })

  test('a token of two refreshes ago ends the session too', async () => {
    const { refreshToken } = await begin()
    const last = await expectGood(await expectGood(refreshToken))
    expect(await refresh(refreshToken)).toBeUndefined()
    expect(await refresh(last)).toBeUndefined()
  })

  test('of concurrent refreshes with one token at most one succeeds, and the session ends', async () => {
    const { refreshToken } = await begin()
    const tokens = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    const answered = tokens.filter((token) => token !== undefined)
    expect(answered).toHaveLength(1)
    expect(await refresh(answered[0] ?? '')).toBeUndefined()
  })

  test('concurrent repeats within the allowed time get the same answer', async () => {
    const { refreshToken } = await begin()
    const again = async (): Promise<string | undefined> => await refreshAgain(refreshToken, 10_000)
    const [next, ...others] = await Promise.all([again(), again(), again()])
    nowMs += 9_999
    expect([...others, await again()]).toEqual([next, next, next])
    await expectGood(next)
  })

  test('a repeat after the allowed time ends the session', async () => {
    const { refreshToken } = await begin()
    const next = await refreshAgain(refreshToken, 10_000)
    nowMs += 10_000
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(next ?? '')).toBeUndefined()
  })

  test('a repeat after the successor was exchanged ends the session', async () => {
    const { refreshToken } = await begin()
    const last = await expectGood(await expectGood(refreshToken))
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(last)).toBeUndefined()
  })

  test('the next token cannot be derived without the key', async () => {
    const { refreshToken } = await begin()
    const guessing = { ...ports, key: Buffer.alloc(32, 2) }
    const guessed = await continueSession(guessing, { refreshToken, repeatMs: 10_000 })
    expect(await refreshAgain(refreshToken, 10_000)).toBeUndefined()
    expect(await refresh(guessed?.refreshToken ?? '')).toBeUndefined()
  })

  test('a session used within 90 days stays active', async () => {
    const { refreshToken } = await begin()
    nowMs += 90 * DAY_MS - 1
    const next = await expectGood(refreshToken)
    nowMs += 90 * DAY_MS
    expect(await refresh(next)).toBeUndefined()
  })

  test('an ended session cannot be refreshed', async () => {
    const { refreshToken } = await begin()
    const next = await expectGood(refreshToken)
    await endSession(ports, next)
    expect(await refresh(next)).toBeUndefined()
    await endSession(ports, next)
  })

  test('signing out with an exchanged token ends the session', async () => {
    const { refreshToken } = await begin()
    const last = await expectGood(await expectGood(refreshToken))
    await endSession(ports, refreshToken)
    expect(await refresh(last)).toBeUndefined()
  })

  test.each(['signs out', 'refreshes'])(
    'a session stays active when a stranger %s with its id and another secret',
    async (what) => {
      const { sessionId, refreshToken } = await begin()
      const other = await begin()
      const secrets = ['a'.repeat(43), other.refreshToken.split('.')[1]]
      for (const secret of secrets) {
        const forged = `${sessionId}.${secret}`
        if (what === 'signs out') await endSession(ports, forged)
        else expect(await refresh(forged)).toBeUndefined()
      }
      await expectGood(refreshToken)
    },
  )

  test('a token of an older release is valid once, and signs out', async () => {
    const keepOld = async (): Promise<string> => {
      const { sessionId } = await begin()
      const token = `${sessionId}.${randomBytes(32).toString('base64url')}`
      await catalog
        .updateTable('refresh_sessions')
        .set({ sha256: createHash('sha256').update(token).digest('hex') })
        .where('id', '=', sessionId)
        .execute()
      return token
    }
    const next = await expectGood(await keepOld())
    await expectGood(next)
    const left = await keepOld()
    await endSession(ports, left)
    expect(await refresh(left)).toBeUndefined()
  })

  test('an account keeps its 100 most recently used sessions', async () => {
    const first = await begin()
    nowMs += 1
    const second = await begin()
    nowMs += 1
    for (let index = 0; index < 98; index++) await begin()
    nowMs += 1
    const firstAgain = await expectGood(first.refreshToken)
    await begin()
    expect(await refresh(second.refreshToken)).toBeUndefined()
    await expectGood(firstAgain)
    expect(await listSessions(ports, customerId)).toHaveLength(100)
  })

  test('a list has the active sessions, the most recently used first, with their sign-in methods', async () => {
    await begin('link')
    nowMs += 90 * DAY_MS - 1000
    const old = await begin()
    const google = await begin('google')
    nowMs += 1000
    await expectGood(old.refreshToken)
    const [startMs, refreshedMs] = [nowMs - 1000, nowMs]
    const facts = { createdMs: startMs, issuer: '', factorMs: 0 }
    expect(await listSessions(ports, customerId)).toEqual([
      { ...facts, id: old.sessionId, method: 'password', lastUsedMs: refreshedMs },
      { ...facts, id: google.sessionId, method: 'google', lastUsedMs: startMs },
    ])
  })

  test('a session can be ended by its owner only', async () => {
    const { sessionId } = await begin()
    const key = { customerId, sessionId }
    const stranger = { customerId: asCustomerId('stranger'), sessionId }
    await expect(endSessionOf(catalog, stranger)).rejects.toMatchObject({ reason: 'SESSION_NOT_FOUND' })
    expect([await isSessionActive(ports, key), await isSessionActive(ports, stranger)]).toEqual([true, false])
    await endSessionOf(catalog, key)
    expect(await isSessionActive(ports, key)).toBe(false)
    await expect(endSessionOf(catalog, key)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('ending the other sessions keeps the current one', async () => {
    const kept = await begin()
    const ended = await begin()
    await endOtherSessions(catalog, kept)
    expect(await refresh(ended.refreshToken)).toBeUndefined()
    await expectGood(kept.refreshToken)
  })

  test('a session stores no token, and its row is deleted when it ends', async () => {
    const { refreshToken } = await begin()
    const rows = JSON.stringify(await catalog.selectFrom('refresh_sessions').selectAll().execute())
    expect(rows).toContain(customerId)
    expect(rows).not.toContain(refreshToken)
    nowMs += 90 * DAY_MS
    await begin()
    expect(await catalog.selectFrom('refresh_sessions').selectAll().execute()).toHaveLength(1)
  })

  test.each(['', 'x', '00000000-0000-0000-0000-000000000000.x', `${'0'.repeat(36)}.${'a'.repeat(43)}`])(
    'a malformed token is invalid: %j',
    async (token) => {
      expect(await refresh(token)).toBeUndefined()
    },
  )
})
