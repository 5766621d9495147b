import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMillrace, TestService } from './harness/service.ts'
import { freePort } from './harness/wait.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-refused-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function expectRefusal(
  environment: Readonly<Record<string, string>>,
  ...named: RegExp[]
): Promise<void> {
  const ports = {
    SERVICE_SERVER_PORT: String(await freePort()),
    SERVICE_ADMIN_PORT: String(await freePort()),
  }
  const ended = await runMillrace(['start'], {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_LOG_LEVEL: 'silent',
    ...ports,
    ...environment,
  })
  expect(ended.code).toBe(1)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  for (const pattern of named) expect(ended.stderr).toMatch(pattern)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
}

test('a port in use is one line that names the setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  await expectRefusal({ SERVICE_SERVER_PORT: port }, new RegExp(`127.0.0.1:${port}`), /SERVICE_SERVER_PORT/)
  await expectRefusal({ SERVICE_ADMIN_PORT: port }, new RegExp(`127.0.0.1:${port}`), /SERVICE_ADMIN_PORT/)
  taken.close()
})

test('a first start that is refused late has printed the keys that it made', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const ended = await runMillrace(['start'], {
    SERVICE_DATA_DIR: join(folder, 'first'),
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_SERVER_PORT: String(typeof address === 'object' && address ? address.port : 0),
    SERVICE_ADMIN_PORT: String(await freePort()),
  })
  taken.close()
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/^public key +pub_\w+\nprivate key +prv_\w+\nconsole +\S+ +\S+\n$/)
})

test('a data folder that cannot be written is one line that names the setting', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await expectRefusal({ SERVICE_DATA_DIR: join(file, 'data') }, /SERVICE_DATA_DIR/)
})

test('a file that a setting names and that cannot be used is one line that names the setting', async () => {
  const text = join(folder, 'text')
  writeFileSync(text, 'neither a certificate nor a database')
  await expectRefusal({ SERVICE_GEOIP_DB: text }, /SERVICE_GEOIP_DB: .*text is not an MMDB file/)
  await expectRefusal({ SERVICE_GEOIP_DB: '/nowhere' }, /SERVICE_GEOIP_DB: .*nowhere cannot be read/)
  await expectRefusal(
    { SERVICE_BOT_NETWORKS: text },
    /SERVICE_BOT_NETWORKS: line 1 of .*text is not an address/,
  )
  await expectRefusal({ SERVICE_REFERRER_SPAM: '/nowhere' }, /SERVICE_REFERRER_SPAM: ENOENT.*nowhere/)
  await expectRefusal(
    { SERVICE_TLS_CERT: '/nowhere', SERVICE_TLS_KEY: text },
    /SERVICE_TLS_CERT: ENOENT.*nowhere/,
  )
  await expectRefusal(
    { SERVICE_TLS_CERT: text, SERVICE_TLS_KEY: text },
    /SERVICE_TLS_CERT and SERVICE_TLS_KEY: .*PEM/,
  )
})

test.each([
  [{ SERVICE_SERVER_PORT: 'http' }, /SERVICE_SERVER_PORT must be a whole number from 1 to 65535/],
  [{ SERVICE_SERVER_PORTS: '1' }, /SERVICE_SERVER_PORTS is not a setting; .*SERVICE_SERVER_PORT/],
  [{ SERVICE_BOOTSTRAP_PRIVATE_KEY_FILE: '/nowhere' }, /SERVICE_BOOTSTRAP_PRIVATE_KEY_FILE .*cannot be read/],
])('a bad setting is one line that names what is accepted: %j', async (environment, pattern) => {
  await expectRefusal(environment, pattern)
})

test('a wrong secret is not repeated', async () => {
  await expectRefusal({ SERVICE_BOOTSTRAP_PRIVATE_KEY: 'hunter2-hunter2' }, /^(?!.*hunter2)/)
})

test('a data folder that another service owns is refused, and that service serves on', async () => {
  const service = await TestService.start()
  await expectRefusal({ SERVICE_DATA_DIR: service.dataDir }, /another|already/, /SERVICE_DATA_DIR/)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  await service.destroy()
})

test('a catalog that cannot be reached is one line that names the setting', async () => {
  const port = await freePort()
  const url = `postgres://millrace:not-shown@127.0.0.1:${port}/millrace`
  await expectRefusal(
    { SERVICE_DATABASE_URL: url },
    /SERVICE_DATABASE_URL/,
    new RegExp(`ECONNREFUSED.*${port}`),
  )
})
