import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addCustomer } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { asCustomerId } from '../../contract/ids.ts'
import type { SessionKey } from '../customers/account-sessions.ts'
import { beginSession } from '../customers/refresh-sessions.ts'
import { SessionReader } from './session-reader.ts'

const ENDED = { code: 'unauthenticated', reason: 'INVALID_TOKEN' }

describeCatalog('the session of a token', (under) => {
  let nowMs: number
  let reader: SessionReader
  let session: SessionKey

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    const clock = { nowMs: () => nowMs }
    reader = new SessionReader(under.catalog, clock)
    const customerId = await addCustomer(under.catalog, 'alice@example.org')
    const ports = { catalog: under.catalog, clock, key: Buffer.alloc(32) }
    session = await beginSession(ports, { customerId, method: 'link' })
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const endElsewhere = async (): Promise<void> => {
    await under.catalog.deleteFrom('refresh_sessions').execute()
  }

  test.each(['checked', 'cached'] as const)('is active until it ends or expires: %s', async (check) => {
    await reader.require(session, check)
    const stranger = { ...session, customerId: asCustomerId('stranger') }
    await expect(reader.require(stranger, check)).rejects.toMatchObject(ENDED)
    nowMs += 90 * 24 * 3_600_000
    reader.forget()
    await expect(reader.require(session, check)).rejects.toMatchObject(ENDED)
  })

  test('that another process ended is refused immediately where it is checked', async () => {
    await reader.require(session, 'checked')
    await endElsewhere()
    await expect(reader.require(session, 'checked')).rejects.toMatchObject(ENDED)
  })

  test('that another process ended is refused after 4 seconds where it is cached', async () => {
    const elapsed = vi.spyOn(performance, 'now').mockReturnValue(1000)
    await reader.require(session, 'cached')
    await endElsewhere()
    await reader.require(session, 'cached')
    elapsed.mockReturnValue(5001)
    // The cache reads the clock once per millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await expect(reader.require(session, 'cached')).rejects.toMatchObject(ENDED)
  })

  test('that this process ended is refused immediately, also when a lookup is in flight', async () => {
    await reader.require(session, 'cached')
    const underWay = reader.require(session, 'checked')
    reader.forget()
    await underWay
    await endElsewhere()
    await expect(reader.require(session, 'cached')).rejects.toMatchObject(ENDED)
  })
})
