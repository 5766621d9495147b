import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../src/settings/settings.ts'
import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { DATABASE, readEngineEndpoint } from '../../src/store/embedded/engine.ts'
import { findServiceEntry } from './service-entry.ts'
import { freePort, isAlive, waitFor } from './wait.ts'

/** Keys that every service of the tests is started with. */
export const PUBLIC_KEY = `pub_${'t'.repeat(24)}`
export const PRIVATE_KEY = `prv_${'t'.repeat(24)}`

/** A start takes one or two seconds on a quiet machine, and fifty times as long on one that other work keeps busy. */
const START_MS_MAX = 100_000

/** Output of processes in the order of its arrival. */
export interface Written {
  stdout: string
  stderr: string
}

/** How a process that was started with a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Until when a start is waited for: until everything is served, or what can be. */
export type Until = 'ready' | 'alive'

/** The processes of a service: one invocation, or several that share their stores. */
export interface Machines {
  readonly dataDir: string
  readonly url: string
  readonly adminUrl: string
  /** The settings of one invocation that serves the public address. */
  readonly environment: Readonly<Record<string, string>>
  /** The shared catalog; absent where it is a file of the data folder. */
  readonly databaseUrl?: string
  /** The store, as its administrator; needs an embedded engine that runs. */
  clickhouse(): ClickHouseEndpoint
  /** The output so far. */
  readonly output: Readonly<Written>
  /** Starts the processes (again). */
  launch(until: Until): Promise<void>
  /** Process id of a role from its pid file, on the first machine that has it. */
  pid(role: Role | 'supervisor'): number
  /** Stops the processes in order. */
  shutDown(): Promise<Ended>
  /** Stops everything in any state, and removes the folders. */
  destroy(): Promise<void>
}

/** Runs `millrace <words>` to its end, as this user or another. */
export async function runMillrace(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  user: { readonly uid?: number } = {},
): Promise<Ended> {
  const entry = await findServiceEntry()
  const child = spawn(process.execPath, [entry.path, ...words], {
    env: { PATH: process.env.PATH ?? '', ...entry.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** One `millrace start` with a separate folder and separate ports. */
export class Invocation implements Machines {
  readonly dataDir: string
  readonly url: string
  readonly adminUrl: string
  readonly environment: Readonly<Record<string, string>>
  readonly databaseUrl?: string
  #child: ChildProcess | undefined
  #output: Written = { stdout: '', stderr: '' }

  private constructor(
    dataDir: string,
    ports: { readonly server: number; readonly admin: number },
    extra: Readonly<Record<string, string>>,
  ) {
    this.dataDir = dataDir
    this.url = `http://127.0.0.1:${ports.server}`
    this.adminUrl = `http://127.0.0.1:${ports.admin}`
    this.environment = {
      SERVICE_DATA_DIR: dataDir,
      SERVICE_SERVER_PORT: String(ports.server),
      SERVICE_ADMIN_PORT: String(ports.admin),
      SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
      SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
      SERVICE_BATCH_MAX_MS: '200',
      ...extra,
    }
  }

  /** One that is not started yet, on free ports; settings in `extra` come on top. */
  static async create(
    extra: Readonly<Record<string, string>> = {},
    dataDir: string = mkdtempSync(join(tmpdir(), 'millrace-')),
  ): Promise<Invocation> {
    return new Invocation(dataDir, { server: await freePort(), admin: await freePort() }, extra)
  }

  clickhouse(): ClickHouseEndpoint {
    const engine = readEngineEndpoint(this.dataDir)
    if (!engine) throw new Error('the store has no endpoint')
    const { user: username, password } = engine.admin
    return { url: engine.url, database: DATABASE, username, password }
  }

  get output(): Readonly<Written> {
    return this.#output
  }

  /** Copies output to `also` as well. */
  async launch(until: Until, ...also: readonly Written[]): Promise<void> {
    const entry = await findServiceEntry()
    const child = spawn(process.execPath, [entry.path, 'start'], {
      env: { PATH: process.env.PATH ?? '', ...entry.environment, ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#output = collect(child, ...also)
    await waitFor(
      `the service to be ${until}`,
      async () => {
        if (child.exitCode !== null) throw new Error(`the service ended: ${this.#output.stderr}`)
        const isReady =
          (await fetch(`${this.url}/${until === 'ready' ? 'readyz' : 'healthz'}`)).status === 200
        return isReady && this.#output.stdout.includes('listens on') ? true : undefined
      },
      START_MS_MAX,
    )
  }

  pid(role: Role | 'supervisor'): number {
    return Number(readFileSync(join(this.dataDir, 'run', `${role}.pid`), 'utf8'))
  }

  async shutDown(): Promise<Ended> {
    const child = this.#child
    if (!child) throw new Error('the service does not run')
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
    return { code: child.exitCode, ...this.#output }
  }

  async destroy(): Promise<void> {
    const pids = (['supervisor', 'store', 'query', 'edge'] as const).flatMap((role) => {
      try {
        return [this.pid(role)]
      } catch {
        return []
      }
    })
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.shutDown()
    await waitFor('all processes to be gone', () => (pids.some(isAlive) ? undefined : true))
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

function collect(child: ChildProcess, ...also: readonly Written[]): Written {
  const output = { stdout: '', stderr: '' }
  for (const kind of ['stdout', 'stderr'] as const) {
    child[kind]?.on('data', (chunk) => {
      for (const written of [output, ...also]) written[kind] += chunk
    })
  }
  return output
}
