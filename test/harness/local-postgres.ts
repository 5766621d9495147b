import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findSystemTool, hasSystemTool } from './system-tool.ts'
import { freePort, waitFor } from './wait.ts'

const DEBIAN_PACKAGE = 'postgresql'

/** Nothing of a test has to survive a crash. */
const CARELESS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** A PostgreSQL server for tests: its own cluster, process and port. */
export interface LocalPostgres {
  /** Makes a new, empty database. Returns its URL. */
  createDatabase(): Promise<string>
  /** URL of a database of this server. */
  urlOf(database: string): string
  /** Stops the server, without waiting for its clients. */
  stop(): Promise<void>
  /** Stops the server and removes its folder. */
  destroy(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
}

/** Whether PostgreSQL is installed; where it must be and is not, throws. */
export function hasPostgres(): boolean {
  return hasSystemTool('initdb', DEBIAN_PACKAGE)
}

/** Makes a cluster and starts it on a free port. */
export async function startLocalPostgres(): Promise<LocalPostgres> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-postgres-'))
  const user = ownerOf(folder)
  execFileSync(tool('initdb'), ['-D', folder, '-U', 'millrace', '-A', 'trust', '-E', 'UTF8', '-N'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  })
  let server: ChildProcess | undefined
  const urlOf = (database: string): string => `postgres://millrace@127.0.0.1:${port}/${database}`
  const stop = async (): Promise<void> => {
    if (server?.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGQUIT')
    await once(server, 'exit')
  }
  const start = async (): Promise<void> => {
    const options = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
    const words = [...options, ...CARELESS].flatMap((option) => ['-c', option])
    server = spawn(tool('postgres'), ['-D', folder, ...words], { ...user, cwd: folder, stdio: 'ignore' })
    await waitFor('PostgreSQL to answer', async () => await runPostgres(urlOf('postgres'), 'SELECT 1'))
  }
  await start()
  return {
    start,
    stop,
    urlOf,
    createDatabase: async () => await createDatabase(urlOf('postgres'), 'template0'),
    destroy: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies a database of the server that `url` leads to. Returns the URL of the copy. */
export async function createDatabase(url: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await runPostgres(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return databaseUrl(url, name)
}

/** The URL of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Runs one statement on a database. */
export async function runPostgres(url: string, statement: string): Promise<true | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  // A server that is just starting may end the connection at any moment.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
    return true
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The server refuses to run as root: then it runs as a user who may do little. */
function ownerOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const row =
    users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'))
  const [, , uid, gid] = (row ?? '').split(':').map(Number)
  if (uid === undefined || gid === undefined) throw new Error('these tests need a user postgres or nobody')
  chownSync(folder, uid, gid)
  return { uid, gid }
}

function tool(name: string): string {
  const path = findSystemTool(name)
  if (path === undefined) throw new Error(`these tests need ${name}: apt-get install ${DEBIAN_PACKAGE}`)
  return path
}
