import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings, parseSettings } from './settings.ts'

test('without variables every setting has its default', () => {
  const parsed = parseSettings({ PATH: '/bin' })
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      serverHost: '127.0.0.1',
      serverPort: 3000,
      roles: ['store', 'query', 'edge'],
      clickhouseUrl: undefined,
    },
  })
})

test('an empty variable counts as absent', () => {
  expect(parseSettings({ SERVICE_SERVER_PORT: '' })).toMatchObject({ ok: true, value: { serverPort: 3000 } })
})

test('a value is read from its file, without the line end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const path = join(folder, 'port')
  writeFileSync(path, '4000\n')
  expect(parseSettings({ SERVICE_SERVER_PORT_FILE: path })).toMatchObject({
    ok: true,
    value: { serverPort: 4000 },
  })
  expect(parseSettings({ SERVICE_SERVER_PORT_FILE: path, SERVICE_SERVER_PORT: '1' })).toMatchObject({
    ok: false,
  })
  rmSync(folder, { recursive: true })
})

test.each([
  [{ SERVICE_ROLES: 'edge, store' }, { roles: ['store', 'edge'] }],
  [{ SERVICE_CLICKHOUSE_URL: 'https://u:p@host:8443/db' }, { clickhouseUrl: 'https://u:p@host:8443/db' }],
  [
    {
      SERVICE_CLICKHOUSE_URL: 'http://u:p@ch-1/db',
      SERVICE_CLICKHOUSE_CLUSTER: 'shards',
      SERVICE_CLICKHOUSE_NODES: 'http://ch-1:8123, http://ch-2:8123/',
    },
    { clickhouseCluster: 'shards', clickhouseNodes: ['http://ch-1:8123', 'http://ch-2:8123'] },
  ],
  [{ SERVICE_BATCH_MAX_ROWS: '1' }, { batchRowsMax: 1 }],
  [
    { SERVICE_SERVER_PORT: '9464', SERVICE_SERVER_HOST: '10.0.0.1' },
    { serverPort: 9464, adminPort: 9464 },
  ],
  [
    { SERVICE_CORS_ORIGINS: 'https://app.example, http://localhost:5173' },
    { corsOrigins: ['https://app.example', 'http://localhost:5173'] },
  ],
  [{ SERVICE_SECRET_KEY: '07'.repeat(32) }, { secretKey: Buffer.alloc(32, 7) }],
  [{ SERVICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }, { secretKey: Buffer.alloc(32, 7) }],
  [{ SERVICE_FCM_URL: 'https://proxy.example/fcm/' }, { fcmUrl: 'https://proxy.example/fcm' }],
  [
    { SERVICE_SMTP_URL: 'smtps://u:p@mail.example', SERVICE_MAIL_FROM: 'M <m@mail.example>' },
    { smtpUrl: { host: 'mail.example', port: 465 }, mailFrom: 'M <m@mail.example>' },
  ],
])('%j is accepted', (environment, value) => {
  expect(parseSettings(environment)).toMatchObject({ ok: true, value })
})

test.each([
  [{ SERVICE_ROLES: 'edge,edgy' }, 'SERVICE_ROLES must be all'],
  [{ SERVICE_SERVER_PORT: '0' }, 'SERVICE_SERVER_PORT must be a whole number'],
  [{ SERVICE_SERVER_PORT: '3000.5' }, 'SERVICE_SERVER_PORT must be a whole number'],
  [{ SERVICE_CLICKHOUSE_URL: 'ftp://host' }, 'SERVICE_CLICKHOUSE_URL must be an http'],
  [
    { SERVICE_BOOTSTRAP_PUBLIC_KEY: 'prv_aaaaaaaaaaaaaaaaaaaaaaaa' },
    'SERVICE_BOOTSTRAP_PUBLIC_KEY must be pub_',
  ],
  [{ SERVICE_SECRET_KEY: '07'.repeat(31) }, 'SERVICE_SECRET_KEY must be 32 bytes'],
  [{ SERVICE_CLICKHOUSE_CLUSTER: 'c' }, 'SERVICE_CLICKHOUSE_CLUSTER needs SERVICE_CLICKHOUSE_URL'],
  [{ SERVICE_CLICKHOUSE_NODES: 'http://h:1' }, 'SERVICE_CLICKHOUSE_NODES needs SERVICE_CLICKHOUSE_CLUSTER'],
  [{ SERVICE_CLICKHOUSE_NODES: 'http://u:p@h:1' }, 'SERVICE_CLICKHOUSE_NODES must be a comma-separated list'],
  [{ SERVICE_CORS_ORIGINS: '*' }, 'SERVICE_CORS_ORIGINS must be a comma-separated list of origins'],
  [{ SERVICE_CORS_ORIGINS: 'https://a.example/app' }, 'SERVICE_CORS_ORIGINS must be'],
  [{ SERVICE_SMTP_URL: 'mail.example:25' }, 'SERVICE_SMTP_URL must be an smtp://'],
  [{ SERVICE_SMTP_URL: 'smtp://mail.example' }, 'SERVICE_SMTP_URL and SERVICE_MAIL_FROM belong together'],
  [{ SERVICE_MAIL_FROM: 'm@mail.example' }, 'SERVICE_SMTP_URL and SERVICE_MAIL_FROM belong together'],
  [{ SERVICE_MAIL_FROM: 'nobody' }, 'SERVICE_MAIL_FROM must be a mail address'],
  [{ SERVICE_SERVER_PORT: '9464' }, 'SERVICE_SERVER_PORT and SERVICE_ADMIN_PORT must be different ports'],
  [
    { SERVICE_SERVER_PORT: '9464', SERVICE_SERVER_HOST: '0.0.0.0' },
    'SERVICE_SERVER_PORT and SERVICE_ADMIN_PORT must be different ports',
  ],
  [{ SERVICE_HTTP2: '3000' }, 'SERVICE_HTTP2 and SERVICE_SERVER_PORT must be different ports'],
  [{ SERVICE_HTTP2: '9464' }, 'SERVICE_HTTP2 and SERVICE_ADMIN_PORT must be different ports'],
  [{ SERVICE_LOG_LEVEL: 'loud' }, 'SERVICE_LOG_LEVEL must be one of fatal, error'],
  [{ SERVICE_UNHEARD_OF: '' }, 'SERVICE_UNHEARD_OF is not a setting; the settings are SERVICE_ROLES'],
  [
    { SERVICE_SERVER_PROT: '1' },
    'SERVICE_SERVER_PROT is not a setting; did you mean SERVICE_SERVER_PORT? The settings are SERVICE_ROLES',
  ],
])('%j is rejected with an error that names the setting', (environment, error) => {
  expect(parseSettings(environment)).toEqual({ ok: false, error: expect.stringContaining(error) })
})

test('docs/settings.md equals the generated page', () => {
  const script = resolve(import.meta.dirname, '../../scripts/generate-settings.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the printed settings never contain a secret', () => {
  const key = `prv_${'s'.repeat(30)}`
  const parsed = parseSettings({
    SERVICE_BOOTSTRAP_PRIVATE_KEY: key,
    SERVICE_CLICKHOUSE_URL: 'http://u:hunter2@h:1',
  })
  const rows = parsed.ok ? describeSettings(parsed.value) : []
  expect(rows.find(({ name }) => name === 'SERVICE_BOOTSTRAP_PRIVATE_KEY')?.value).toBe('(set)')
  expect(JSON.stringify(rows)).not.toMatch(/hunter2|sss/)
})
