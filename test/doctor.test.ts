import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, startLocalPostgres } from './harness/local-postgres.ts'
import { startLocalRedis } from './harness/local-redis.ts'
import { type Ended, runMillrace, TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'
import { freePort, waitFor } from './harness/wait.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-doctor-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Status by check, and the text of each. */
function read({
  stdout,
}: Ended): Readonly<Record<string, { readonly status: string; readonly text: string }>> {
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [, status = '', name = '', text = ''] = /^(ok|warn|fail|skip) +(\S+) +(.+)$/.exec(line) ?? []
        return [name, { status, text }]
      }),
  )
}

async function runDoctor(environment: Readonly<Record<string, string>> = {}) {
  const ended = await runMillrace(['doctor'], {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_SERVER_PORT: String(await freePort()),
    SERVICE_ADMIN_PORT: String(await freePort()),
    ...environment,
  })
  expect(ended.stderr).toBe('')
  return { code: ended.code, findings: read(ended) }
}

test('before the first start no check fails, and inapplicable ones are skipped', async () => {
  const { code, findings } = await runDoctor()
  expect(code).toBe(0)
  expect(new Set(Object.values(findings).map(({ status }) => status))).toEqual(new Set(['ok', 'skip']))
  expect(findings).toMatchObject({ 'data-folder': { status: 'ok' }, clickhouse: { status: 'skip' } })
})

test('invalid settings are one line', async () => {
  const { code, findings } = await runDoctor({ SERVICE_WORKERS: 'many' })
  expect(code).toBe(1)
  expect(Object.keys(findings)).toEqual(['settings'])
  expect(findings.settings).toEqual({
    status: 'fail',
    text: expect.stringContaining('SERVICE_WORKERS must be'),
  })
})

test('an occupied port, missing files and an unreachable server fail', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' ? address?.port : '')
  const { code, findings } = await runDoctor({
    SERVICE_SERVER_PORT: port,
    SERVICE_GEOIP_DB: join(folder, 'no.mmdb'),
    SERVICE_CLICKHOUSE_URL: 'http://user:hunter2@127.0.0.1:1/db',
    SERVICE_REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
  })
  other.close()
  expect(code).toBe(1)
  expect(findings).toMatchObject({
    files: { status: 'fail', text: expect.stringContaining('SERVICE_GEOIP_DB') },
    'public-port': { status: 'fail', text: expect.stringContaining(`127.0.0.1:${port}`) },
    'admin-port': { status: 'ok' },
    clickhouse: { status: 'fail' },
    redis: { status: 'fail' },
  })
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test('a backlog above half its limit and blocks in quarantine are warnings, a full journal fails', async () => {
  const dataDir = join(folder, 'backlog')
  mkdirSync(join(dataDir, 'journal'), { recursive: true })
  mkdirSync(join(dataDir, 'quarantine'))
  const id = 'ab'.repeat(16)
  const entry = {
    id: `${id}-0`,
    reason: 'rejected',
    error: 'e',
    rows: 1,
    bytes: 1,
    segment: id,
    offset: 0,
    time: '',
  }
  writeFileSync(join(dataDir, 'quarantine', `${id}-0.json`), JSON.stringify(entry))
  const addSegment = (sequence: number): void => {
    const path = join(dataDir, 'journal', `00000000000${sequence}-${id}.segment`)
    writeFileSync(path, '')
    truncateSync(path, 40 * 1024 ** 2)
  }
  const environment = { SERVICE_DATA_DIR: dataDir, SERVICE_JOURNAL_MAX_BYTES: String(64 * 1024 ** 2) }
  addSegment(1)
  expect(await runDoctor(environment)).toMatchObject({
    code: 0,
    findings: {
      journal: { status: 'warn', text: expect.stringContaining('1 segment of events waits for') },
      quarantine: { status: 'warn', text: expect.stringMatching(/^1 block in/) },
    },
  })
  addSegment(2)
  expect(await runDoctor(environment)).toMatchObject({
    code: 1,
    findings: { journal: { status: 'fail', text: expect.stringContaining('2 segments of events wait for') } },
  })
  for (const kind of ['journal', 'quarantine']) {
    rmSync(join(dataDir, `${kind}-identify`), { recursive: true, force: true })
    renameSync(join(dataDir, kind), join(dataDir, `${kind}-identify`))
  }
  expect(await runDoctor(environment)).toMatchObject({
    code: 1,
    findings: {
      journal: { status: 'fail', text: expect.stringContaining('Identify calls are rejected') },
      quarantine: { status: 'warn' },
    },
  })
})

describe.skipIf(!hasSystemTool('redis-server', 'redis-server'))('with Redis', () => {
  test.each([
    ['keeps its memory', [], { redis: 'ok', 'redis-persistence': 'ok' }, 0],
    ['writes snapshots', ['--save', '60 1'], { redis: 'ok', 'redis-persistence': 'fail' }, 1],
    ['does not tell', ['--rename-command', 'CONFIG', ''], { redis: 'ok', 'redis-persistence': 'warn' }, 0],
  ])('one that %s', async (_, args, expected, code) => {
    const redis = await startLocalRedis({ args })
    const found = await runDoctor({ SERVICE_REDIS_URL: redis.url }).finally(redis.stop)
    const statuses = Object.fromEntries(
      Object.entries(found.findings).map(([name, { status }]) => [name, status]),
    )
    expect(statuses).toMatchObject(expected)
    expect(found.code).toBe(code)
  })
})

describe.skipIf(!hasPostgres())('with PostgreSQL', () => {
  test('reports the version of a reachable server, and an unreachable one', async () => {
    const postgres = await startLocalPostgres()
    const environment = { SERVICE_DATABASE_URL: postgres.urlOf('postgres') }
    try {
      const running = await runDoctor(environment)
      expect(running.findings.catalog).toMatchObject({
        status: 'ok',
        text: expect.stringMatching(/^PostgreSQL \d+/),
      })
      await postgres.stop()
      const gone = await runDoctor(environment)
      expect(gone.findings.catalog).toMatchObject({
        status: 'fail',
        text: expect.stringContaining('ECONNREFUSED'),
      })
      expect(gone.code).toBe(1)
    } finally {
      await postgres.destroy()
    }
  })
})

test('a healthy service passes every check, and its own ports are not in use by others', async () => {
  const service = await TestService.start()
  try {
    const { code, findings } = await runDoctor(service.environment)
    const { redis, 'redis-persistence': persistence, ...others } = findings
    expect(new Set(Object.values(others).map(({ status }) => status))).toEqual(new Set(['ok']))
    expect([redis?.status, persistence?.status]).toEqual(['skip', 'skip'])
    expect(findings['public-port']?.text).toContain("the running service's")
    expect(code).toBe(0)
  } finally {
    await service.destroy()
  }
})

test('a process that hangs is named by doctor, health, readyz and the metrics, and not called another program', async () => {
  const service = await TestService.start({}, 'ready', join(folder, 'hanging'))
  const environment = { ...service.environment }
  const whileStopped = async <T>(role: 'query' | 'store' | 'edge', work: () => Promise<T>): Promise<T> => {
    process.kill(service.pid(role), 'SIGSTOP')
    try {
      return await work()
    } finally {
      process.kill(service.pid(role), 'SIGCONT')
    }
  }
  try {
    await whileStopped('query', async () => {
      const { code, findings } = await runDoctor(environment)
      expect(code).toBe(1)
      expect(findings).toMatchObject({
        'public-port': { status: 'ok' },
        'admin-port': { status: 'ok' },
        roles: { status: 'fail', text: expect.stringMatching(/^query does not respond: .*query\.pid/) },
        proxies: { status: 'ok' },
      })
      expect(await (await fetch(`${service.adminUrl}/metrics`)).text()).toMatch(
        /^millrace_role_up\{process="query",role="supervisor"\} 0$/m,
      )
    })
    await whileStopped('store', async () => {
      const answer = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(5000) })
      expect({ status: answer.status, body: await answer.json() }).toEqual({
        status: 503,
        body: { ready: false, missing: ['clickhouse'] },
      })
      expect(await runMillrace(['health'], environment)).toMatchObject({
        code: 1,
        stderr: 'millrace: /readyz returned 503, because of: clickhouse; see millrace doctor\n',
      })
      const { findings } = await runDoctor(environment)
      expect(findings.clickhouse).toEqual({
        status: 'fail',
        text: expect.stringMatching(/^ClickHouse does not respond \(.*\); see .*store\/log/),
      })
    })
    await whileStopped('edge', async () => {
      expect(await runMillrace(['health'], environment)).toMatchObject({
        code: 1,
        stderr: 'millrace: the service does not respond: no answer within 2.5 seconds; see millrace doctor\n',
      })
      const { findings } = await runDoctor(environment)
      expect(findings).toMatchObject({
        'public-port': { status: 'fail', text: expect.stringContaining('the service hangs') },
        roles: { status: 'fail', text: expect.stringMatching(/^edge does not respond/) },
      })
    })
    const { findings } = await runDoctor(environment)
    expect(findings.roles).toEqual({ status: 'ok', text: 'every process responds' })
  } finally {
    await service.destroy()
  }
})

test('a catalog whose secrets were sealed with another key is named by doctor and by the log', async () => {
  const dataDir = join(folder, 'other-key')
  const service = await TestService.start({ SERVICE_SECRET_KEY: '11'.repeat(32) }, 'ready', dataDir)
  try {
    const channel = { name: 'Ops', webhook: { url: 'https://hooks.example.com/secret' } }
    expect((await service.call('millrace.alerts.v1.ChannelsService/Create', channel)).status).toBe(200)
    expect((await runDoctor(service.environment)).findings['secret-key']).toEqual({
      status: 'ok',
      text: 'the secret key opens the secrets of the catalog',
    })
    const other = { SERVICE_SECRET_KEY: '22'.repeat(32) }
    expect((await runDoctor({ ...service.environment, ...other })).findings['secret-key']).toEqual({
      status: 'fail',
      text: expect.stringMatching(
        /^channels were sealed with another key: set SERVICE_SECRET_KEY, or restore/,
      ),
    })
    await service.shutDown()
    const started = await TestService.start(other, 'ready', dataDir)
    await waitFor('the line of the log', () =>
      started.output.stderr.includes('channels were sealed with another key') ? true : undefined,
    ).finally(async () => await started.shutDown())
  } finally {
    await service.destroy()
  }
})

test('a damaged catalog and a damaged key of it are one line, with what to do', async () => {
  const dataDir = join(folder, 'damaged')
  mkdirSync(dataDir)
  writeFileSync(
    join(dataDir, 'catalog.sqlite'),
    'no database, but a text that is long enough to be read as a header',
  )
  for (const words of [['start'], ['keys', 'list'], ['backup', join(folder, 'nowhere')]])
    expect(await runMillrace(words, { SERVICE_DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^(?:\{.*\}\n)*millrace: cannot use the catalog in SERVICE_DATA_DIR: file is not a database; restore catalog\.sqlite from a backup\n$/,
      ),
    })
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret-key'), '')
  const ports = {
    SERVICE_SERVER_PORT: String(await freePort()),
    SERVICE_ADMIN_PORT: String(await freePort()),
  }
  expect(await runMillrace(['start'], { SERVICE_DATA_DIR: dataDir, ...ports })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\nmillrace: .*secret-key does not hold a key of 32 bytes; restore it from a backup\n$/,
    ),
  })
})
