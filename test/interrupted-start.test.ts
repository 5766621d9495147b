import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findServiceEntry } from './harness/service-entry.ts'
import { freePort, isAlive, waitFor } from './harness/wait.ts'

let folder: string
let server: Server
let statements: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-interrupted-'))
  statements = 0
  // A ClickHouse that answers no statement, so that the preparation of the stores waits.
  server = createServer((request, response) => {
    if (request.url?.startsWith('/ping')) return void response.end('Ok.\n')
    statements += 1
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the service; resolves while it prepares the stores. */
async function startUntilPreparation(): Promise<{
  readonly child: ChildProcess
  readonly output: { stderr: string }
  readonly processes: ReadonlyMap<string, number>
}> {
  const entry = await findServiceEntry()
  const address = server.address()
  const child = spawn(process.execPath, [entry.path, 'start'], {
    env: {
      PATH: process.env.PATH ?? '',
      ...entry.environment,
      SERVICE_ROLES: 'edge,query',
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_SERVER_PORT: String(await freePort()),
      SERVICE_ADMIN_PORT: String(await freePort()),
      SERVICE_LOG_LEVEL: 'silent',
      SERVICE_CLICKHOUSE_URL: `http://a:b@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/millrace`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = { stderr: '' }
  child.stderr?.on('data', (text) => {
    output.stderr += text
  })
  await waitFor('the preparation to begin', () => (statements > 0 ? true : undefined), 60_000)
  return { child, output, processes: processesOf(child.pid ?? 0) }
}

/** Ids of the processes that a process has started, by title. */
function processesOf(parent: number): Map<string, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const children = pids.filter((pid) => readProc(pid, 'status').includes(`\nPPid:\t${parent}\n`))
  return new Map(children.map((pid) => [readProc(pid, 'cmdline').split('\0')[0] ?? '', pid]))
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

async function expectGone(processes: ReadonlyMap<string, number>): Promise<void> {
  expect([...processes.keys()].sort()).toEqual(['millrace edge', 'millrace query'])
  await waitFor('all processes to be gone', () => ([...processes.values()].some(isAlive) ? undefined : true))
}

test('the death of the process that prepares the stores is one line, and no process stays', async () => {
  const { child, output, processes } = await startUntilPreparation()
  process.kill(processes.get('millrace query') ?? 0, 'SIGKILL')
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output.stderr).toBe(
    'millrace: the query process ended while it prepared the stores: signal SIGKILL\n',
  )
  await expectGone(processes)
})

test('when the supervisor is killed while the stores are prepared, no process stays', async () => {
  const { child, processes } = await startUntilPreparation()
  child.kill('SIGKILL')
  await expectGone(processes)
})

test('a stop while the stores are prepared ends the start, and no process stays', async () => {
  const { child, output, processes } = await startUntilPreparation()
  child.kill('SIGTERM')
  await waitFor('the end of the service', () => (child.exitCode === null ? undefined : true))
  expect({ code: child.exitCode, ...output }).toEqual({ code: 0, stderr: '' })
  await expectGone(processes)
})
