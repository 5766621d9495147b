import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait.ts'
import {
  type Engine,
  type EngineEndpoint,
  type EngineUser,
  readEngineEndpoint,
  startEngine,
} from './engine.ts'
import { findFreePort, runStatement } from './readiness.ts'

const DURABLE = `ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`
const folders: string[] = []

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-engine-'))
  folders.push(folder)
  return folder
}

function connect(endpoint: EngineEndpoint, user: EngineUser = endpoint.admin): ClickHouseClient {
  return createClient({
    url: endpoint.url,
    username: user.user,
    password: user.password,
    database: 'millrace',
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { wait_end_of_query: 1 },
  })
}

async function selectColumn(client: ClickHouseClient, query: string): Promise<readonly unknown[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return (await answer.json<readonly unknown[]>()).map((row) => row[0])
}

function isGone(pid: number): boolean {
  try {
    // A zombie waits for its reaper only.
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/, ''))
  } catch {
    return true
  }
}

let dataFolder: string
let engine: Engine
let admin: ClickHouseClient
let reader: ClickHouseClient

beforeAll(async () => {
  dataFolder = createFolder()
  engine = await startEngine({ dataFolder })
  admin = connect(engine)
  reader = connect(engine, engine.reader)
  await admin.command({ query: `CREATE TABLE fruit (id UInt64, name String) ${DURABLE}` })
  await admin.insert({ table: 'fruit', values: [{ id: 1, name: 'fig' }], format: 'JSONEachRow' })
})

afterAll(async () => {
  await Promise.all([admin?.close(), reader?.close()])
  await engine?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('pages', () => {
  test.each(['/ping', '/?query=SELECT%201'])('%s is answered', async (path) => {
    const { user, password } = engine.reader
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password }
    expect((await fetch(`${engine.url}${path}`, { headers })).status).toBe(200)
  })

  test.each([
    '/play',
    '/play?user=x',
    '/dashboard',
    '/binary',
    '/merges',
    '/jemalloc',
    '/webterminal',
    '/js/uplot.js',
    '/replicas_status',
    '/metrics',
    '/schema',
    '/favicon.ico',
    '/system/one.csv',
    '/ping/',
  ])('%s is not answered', async (path) => {
    const answers = [
      await fetch(`${engine.url}${path}`),
      await fetch(`${engine.url}${path}`, { method: 'POST' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })

  test('both kinds of ping work, and a statement may have parameters in its URL', async () => {
    expect(await admin.ping({ select: false })).toEqual({ success: true })
    expect(await admin.ping({ select: true })).toEqual({ success: true })
    const { user, password } = engine.reader
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password }
    const query = 'SELECT {id:UInt64} + 1'
    const address = `${engine.url}/?database=millrace&param_id=41&max_threads=1`
    const answer = await fetch(address, { method: 'POST', headers, body: query })
    expect(await answer.text()).toBe('42\n')
  })
})

describe('users', () => {
  test('the admin reads its own inserts', async () => {
    expect(await selectColumn(admin, 'SELECT name FROM fruit')).toEqual(['fig'])
  })

  test('the reader selects with typed parameters and its own limits', async () => {
    const answer = await reader.query({
      query: 'SELECT name FROM fruit WHERE id = {id:UInt64}',
      query_params: { id: 1 },
      clickhouse_settings: { max_execution_time: 5, max_memory_usage: '100000000' },
      format: 'JSONCompactEachRow',
    })
    expect(await answer.json()).toEqual([['fig']])
  })

  test.each([
    "INSERT INTO millrace.fruit VALUES (2, 'x')",
    'CREATE TABLE millrace.t (id UInt8) ENGINE = Memory',
    'DROP TABLE millrace.fruit',
    'ALTER TABLE millrace.fruit DELETE WHERE 1',
    'TRUNCATE TABLE millrace.fruit',
    'SYSTEM STOP LISTEN HTTP',
    'SELECT name FROM system.users',
    "SELECT * FROM file('/etc/hostname', LineAsString)",
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "SELECT * FROM remote('127.0.0.1:1', system.one)",
    'SELECT * FROM default.`/etc/hostname`',
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', LineAsString)",
  ])('the reader is denied: %s', async (sql) => {
    const answer = await runStatement(engine.url, engine.reader, sql)
    expect(answer.body).toContain('ACCESS_DENIED')
  })

  test('the reader cannot lift its read-only profile', async () => {
    const refused = reader.query({ query: 'SELECT 1', clickhouse_settings: { readonly: '0' } })
    await expect(refused).rejects.toMatchObject({ type: 'READONLY' })
  })

  test.runIf(process.platform === 'linux')(
    'the function file() reads nothing outside the store',
    async () => {
      for (const path of ['/etc/passwd', join(dataFolder, 'store/secret'), `/proc/${process.pid}/environ`]) {
        const answer = await runStatement(engine.url, engine.admin, `SELECT file('${path}')`)
        expect(answer.body).toContain('Permission denied')
      }
    },
  )

  test.each(['SELECT 1', 'SYSTEM STOP LISTEN HTTP', 'KILL QUERY WHERE 1'])(
    'the anonymous user is denied: %s',
    async (sql) => {
      const answer = await runStatement(engine.url, { user: 'default', password: '' }, sql)
      expect(answer.body).toContain('USER_SESSION_LIMIT_EXCEEDED')
    },
  )

  test('the anonymous user cannot raise its own limit', async () => {
    const answer = await fetch(`${engine.url}/?max_sessions_for_user=9`, {
      method: 'POST',
      body: 'SELECT 1',
      headers: { connection: 'close' },
    })
    expect(answer.ok).toBe(false)
    await answer.text()
  })

  test.each(['millrace', 'millrace_reader', 'default', 'nobody'])(
    '%s with a wrong password is refused',
    async (user) => {
      const answer = await runStatement(engine.url, { user, password: 'wrong' }, 'SELECT 1')
      expect([401, 403]).toContain(answer.status)
    },
  )

  test('a time without a zone is in UTC', async () => {
    expect(await selectColumn(reader, 'SELECT timezone()')).toEqual(['UTC'])
  })

  test('a dictionary reads a local table through the named collection', async () => {
    await admin.command({
      query: `CREATE DICTIONARY fruit_names (id UInt64, name String) PRIMARY KEY id
        SOURCE(CLICKHOUSE(NAME millrace_local DB 'millrace' TABLE 'fruit')) LAYOUT(HASHED()) LIFETIME(0)`,
    })
    expect(await selectColumn(reader, "SELECT dictGet('fruit_names', 'name', 1::UInt64)")).toEqual(['fig'])
  })
})

test('small parts are merged with each other and not with one that is larger than several of them', async () => {
  const insert = async (table: string, sizes: readonly number[]): Promise<void> => {
    for (const kilobytes of sizes) {
      const query = `INSERT INTO ${table} SELECT number, randomString(1000) FROM numbers(${kilobytes})`
      await admin.command({ query })
    }
  }
  const count = async (what: string, table: string): Promise<number> => {
    const [found] = await selectColumn(
      admin,
      `SELECT toUInt32(count()) FROM system.${what} AND table = '${table}'`,
    )
    return Number(found)
  }
  for (const [table, sizes] of [
    ['uneven', [8000, ...Array<number>(8).fill(2500)]],
    ['even', Array<number>(11).fill(10)],
  ] as const) {
    await admin.command({
      query: `CREATE TABLE ${table} (id UInt64, text String) ENGINE = MergeTree ORDER BY id`,
    })
    await admin.command({ query: `SYSTEM STOP MERGES ${table}` })
    await insert(table, sizes)
    await admin.command({ query: `SYSTEM START MERGES ${table}` })
    // The engine looks for merges after each INSERT.
    await insert(table, sizes.slice(-1))
  }
  await waitFor('the merge of even parts', async () =>
    (await count('parts WHERE active', 'even')) < 10 ? true : undefined,
  )
  expect(await count('merges WHERE true', 'uneven')).toBe(0)
  expect(await count('parts WHERE active', 'uneven')).toBe(10)
})

describe('traces of an engine on the machine', () => {
  test('its log tables expire', async () => {
    await admin.command({ query: 'OPTIMIZE TABLE fruit FINAL' })
    await admin.command({ query: 'SYSTEM FLUSH LOGS' })
    const logs = "FROM system.tables WHERE database = 'system' AND engine LIKE '%MergeTree'"
    expect(await selectColumn(admin, `SELECT name ${logs} ORDER BY name`)).toContain('part_log')
    expect(await selectColumn(admin, `SELECT name ${logs} AND engine_full NOT LIKE '% TTL %'`)).toEqual([])
  })

  test.each(['store/secret', 'store/server.xml', 'store/users.xml', 'run/store.json'])(
    '%s is private',
    (file) => {
      expect(statSync(join(dataFolder, file)).mode & 0o777).toBe(0o600)
    },
  )

  test.runIf(process.platform === 'linux')('its command line and environment hold no password', () => {
    const exposed = ['cmdline', 'environ']
      .map((file) => readFileSync(`/proc/${engine.pid}/${file}`, 'utf8'))
      .join()
    expect(exposed).toContain('TZ=UTC')
    expect(exposed).not.toContain(engine.admin.password)
    expect(exposed).not.toContain(engine.reader.password)
  })

  test('the published endpoint equals the returned one', () => {
    const { url, pid, admin: adminUser, reader: readerUser } = engine
    expect(readEngineEndpoint(dataFolder)).toEqual({ url, pid, admin: adminUser, reader: readerUser })
  })

  test('a folder without an engine has no endpoint', () => {
    expect(readEngineEndpoint(createFolder())).toBeUndefined()
  })
})

describe('refusals', () => {
  test('a second engine on the folder is refused within three seconds and the first still serves', async () => {
    const startedMs = performance.now()
    await expect(startEngine({ dataFolder })).rejects.toMatchObject({ reason: 'data_folder_locked' })
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    expect(await selectColumn(admin, 'SELECT count() FROM fruit')).toEqual([1])
    expect(readEngineEndpoint(dataFolder)?.pid).toBe(engine.pid)
  })

  test('a taken port is refused', async () => {
    const server = createServer()
    const port = await findFreePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const started = startEngine({ dataFolder: createFolder(), httpPort: port })
    await expect(started).rejects.toMatchObject({ reason: 'port_in_use' })
    server.close()
  })

  test('a folder that cannot be written is refused', async () => {
    const file = join(createFolder(), 'file')
    writeFileSync(file, '')
    const started = startEngine({ dataFolder: join(file, 'data') })
    await expect(started).rejects.toMatchObject({ reason: 'not_writable' })
  })
})

describe('the end of an engine', () => {
  test('signals to its process do not end it', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(engine.pid, signal)
    expect(await selectColumn(admin, 'SELECT sleep(0.5)')).toEqual([0])
  })

  test('a clean stop withdraws the endpoint and keeps passwords and rows', async () => {
    const folder = createFolder()
    const first = await startEngine({ dataFolder: folder, tcpPort: await findFreePort() })
    await runStatement(first.url, first.admin, `CREATE TABLE millrace.t (id UInt8) ${DURABLE}`)
    await runStatement(first.url, first.admin, 'INSERT INTO millrace.t VALUES (7)')
    await first.stop()
    expect(await first.exited).toMatchObject({ code: 0, signal: null })
    expect(readEngineEndpoint(folder)).toBeUndefined()
    const second = await startEngine({ dataFolder: folder })
    const answer = await runStatement(second.url, first.admin, 'SELECT id FROM millrace.t')
    await second.stop()
    expect(answer).toEqual({ status: 200, body: '7\n' })
  })

  test('a killed engine keeps every acknowledged row', async () => {
    const folder = createFolder()
    const killed = await startEngine({ dataFolder: folder })
    const acknowledged = await insertUntilKilled(killed, () => process.kill(killed.pid, 'SIGKILL'))
    expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
    await expectRows(folder, acknowledged)
  })

  test('the engine of a killed parent is gone within five seconds and keeps every acknowledged row', async () => {
    const folder = createFolder()
    const { parent, endpoint } = await startParent(folder)
    const acknowledged = await insertUntilKilled(endpoint, () => parent.kill('SIGKILL'))
    await expect.poll(() => isGone(endpoint.pid), { timeout: 5_000, interval: 20 }).toBe(true)
    await expectRows(folder, acknowledged)
  })
})

const BATCH_ROWS = 1000
const BATCHES_BEFORE_KILL = 5

/** Inserts batches of 1,000 rows until the engine has ended; returns the number of acknowledged rows. */
async function insertUntilKilled(endpoint: EngineEndpoint, kill: () => void): Promise<number> {
  await runStatement(endpoint.url, endpoint.admin, `CREATE TABLE millrace.t (id UInt64) ${DURABLE}`)
  for (let batches = 0; ; batches += 1) {
    const insert = runStatement(
      endpoint.url,
      endpoint.admin,
      `INSERT INTO millrace.t SELECT number + ${batches * BATCH_ROWS} FROM system.numbers LIMIT ${BATCH_ROWS}`,
    ).catch(() => undefined)
    if (batches === BATCHES_BEFORE_KILL) kill()
    if ((await insert)?.status !== 200) return batches
  }
}

async function expectRows(folder: string, batches: number): Promise<void> {
  expect(batches).toBeGreaterThanOrEqual(BATCHES_BEFORE_KILL)
  const engine = await startEngine({ dataFolder: folder })
  const acknowledged = `SELECT count() FROM millrace.t WHERE id < ${batches * BATCH_ROWS}`
  const counted = await runStatement(engine.url, engine.admin, acknowledged)
  const checked = await runStatement(
    engine.url,
    engine.admin,
    'CHECK TABLE millrace.t SETTINGS check_query_single_value_result = 1',
  )
  await engine.stop()
  expect(counted.body).toBe(`${batches * BATCH_ROWS}\n`)
  expect(checked.body).toBe('1\n')
}

async function startParent(
  folder: string,
): Promise<{ readonly parent: ChildProcess; readonly endpoint: EngineEndpoint }> {
  const script = `
    import { startEngine } from ${JSON.stringify(new URL('engine.ts', import.meta.url).href)}
    await startEngine({ dataFolder: process.argv[1] })
    process.stdout.write('ready\\n')`
  const args = ['--no-warnings', '--input-type=module', '--eval', script, folder]
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  const endpoint = readEngineEndpoint(folder)
  if (line !== 'ready' || endpoint === undefined) throw new Error('the parent did not start its engine')
  return { parent, endpoint }
}
