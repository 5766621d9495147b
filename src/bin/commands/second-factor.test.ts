import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addCustomer } from '../../../test/harness/console-callers.ts'
import { codeAt } from '../../../test/harness/totp-codes.ts'
import type { CustomerId } from '../../contract/ids.ts'
import { beginSession } from '../../control/customers/refresh-sessions.ts'
import { insertPasskey } from '../../control/factors/passkeys.ts'
import { generateSecret } from '../../control/factors/totp.ts'
import { storeTotp } from '../../control/factors/totp-factor.ts'
import { systemClock } from '../../kernel/clock.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { parseSettings, type Settings } from '../../settings/settings.ts'
import { openCatalog } from '../../store/catalog/catalog.ts'
import { openMigratedCatalog } from '../environment/with-catalog.ts'
import { runSecondFactor } from './second-factor.ts'

let dataDir: string
let settings: Settings
let printed: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'second-factor-'))
  const parsed = parseSettings({ SERVICE_DATA_DIR: dataDir })
  if (!parsed.ok) throw new Error(parsed.error)
  settings = parsed.value
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dataDir, { recursive: true })
})

async function addAccount(): Promise<CustomerId> {
  const catalog = await openMigratedCatalog(settings)
  const customerId = await addCustomer(catalog, 'ada@example.org')
  const secret = generateSecret()
  const ports = { catalog, clock: systemClock, sealer: new Sealer(Buffer.alloc(32)) }
  await storeTotp(ports, { customerId, secret, code: codeAt(secret, systemClock.nowMs()) })
  const passkey = { rpId: 'localhost', publicKey: '', transports: [], signCount: 0 }
  const named = { ...passkey, customerId, credentialId: 'of-ada', displayName: 'Laptop' }
  await insertPasskey(catalog, systemClock, named)
  await beginSession({ ...ports, key: Buffer.alloc(32) }, { customerId, method: 'password' })
  await catalog.destroy()
  return customerId
}

test('lists accounts with a second factor, and removes one with its sessions', async () => {
  await addAccount()
  await runSecondFactor(settings, ['list'])
  expect(printed).toMatch(/^ada@example\.org {2}app, 1 passkey {2}last used \d{4}-.+\n$/)
  await runSecondFactor(settings, ['remove', ' Ada@example.org '])
  const catalog = openCatalog(settings)
  const tables = ['totp_factors', 'passkeys', 'recovery_codes', 'refresh_sessions'] as const
  const rows = await Promise.all(tables.map((table) => catalog.selectFrom(table).selectAll().execute()))
  await catalog.destroy()
  expect(rows).toEqual([[], [], [], []])
})

test.each([
  [['remove', 'nobody@example.org'], 'there is no account nobody@example.org'],
  [['remove'], 'second-factor remove needs the email address of an account'],
  [['erase'], 'second-factor needs list, or remove with the email address of an account'],
  [['list', 'x'], 'unexpected argument x; see --help'],
])('%j is refused with a sentence', async (words, message) => {
  await addAccount()
  await expect(runSecondFactor(settings, words)).rejects.toThrow(message)
})

test('an account without a second factor is no success', async () => {
  await addAccount()
  await runSecondFactor(settings, ['remove', 'ada@example.org'])
  await expect(runSecondFactor(settings, ['remove', 'ada@example.org'])).rejects.toThrow(
    'the account ada@example.org has no second factor',
  )
})
