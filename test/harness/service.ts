import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { ErrorInfoSchema } from '../../src/contract/gen/google/rpc/error_details_pb.js'
import type { Role } from '../../src/kernel/settings.ts'
import { freePort, isAlive, waitFor } from './wait.ts'

const ENTRY = resolve(import.meta.dirname, '../../src/bin/millrace.ts')

/** Keys that every service of the tests is started with. */
export const PUBLIC_KEY = `pub_${'t'.repeat(24)}`
export const PRIVATE_KEY = `prv_${'t'.repeat(24)}`

/** A start takes one or two seconds on a quiet machine. */
const START_MS_MAX = 55_000

/** How a process that was started with a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `millrace <words>` to its end. */
export async function runMillrace(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: { readonly uid?: number } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [ENTRY, ...words], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** A real service in a folder of its own. */
export class TestService {
  readonly dataDir: string
  readonly url: string
  readonly adminUrl: string
  readonly environment: Readonly<Record<string, string>>
  #child: ChildProcess | undefined
  #output = { stdout: '', stderr: '' }

  private constructor(
    dataDir: string,
    ports: { readonly server: number; readonly admin: number },
    extra: object,
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

  /** Starts a service on free ports and a new folder, or one that is there; settings in `extra` come on top. */
  static async start(
    extra: Readonly<Record<string, string>> = {},
    until: 'ready' | 'alive' = 'ready',
    dataDir: string = mkdtempSync(join(tmpdir(), 'millrace-')),
  ): Promise<TestService> {
    const service = await TestService.create(extra, dataDir)
    try {
      await service.launch(until)
    } catch (error) {
      await service.destroy()
      throw error
    }
    return service
  }

  /** A service that is not started yet, on free ports and an empty folder, or one that is there. */
  static async create(
    extra: Readonly<Record<string, string>> = {},
    dataDir: string = mkdtempSync(join(tmpdir(), 'millrace-')),
  ): Promise<TestService> {
    return new TestService(dataDir, { server: await freePort(), admin: await freePort() }, extra)
  }

  /** What it wrote so far. */
  get output(): { readonly stdout: string; readonly stderr: string } {
    return this.#output
  }

  /** Starts the processes (again) and waits until they serve everything, or what they can. */
  async launch(until: 'ready' | 'alive' = 'ready'): Promise<void> {
    const child = spawn(process.execPath, [ENTRY, 'start'], {
      env: { PATH: process.env.PATH ?? '', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#output = collect(child)
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

  /** Process id of a role, as its pid file says. */
  pid(role: Role | 'supervisor'): number {
    return Number(readFileSync(join(this.dataDir, 'run', `${role}.pid`), 'utf8'))
  }

  /** Calls an RPC in Connect JSON. */
  async call(
    method: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }> {
    const response = await fetch(`${this.url}/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'connect-protocol-version': '1',
        'x-api-key': PRIVATE_KEY,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Stops the processes in order. */
  async shutDown(): Promise<Ended> {
    const child = this.#child
    if (!child) throw new Error('the service does not run')
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
    return { code: child.exitCode, ...this.#output }
  }

  /** Stops everything, whatever state it is in, and removes the folder. */
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

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  return output
}

/** The reason in the ErrorInfo of a failed answer; its detail comes first. */
export function reasonOf(body: Record<string, unknown>): string {
  const [detail] = (body.details ?? []) as { readonly type: string; readonly value: string }[]
  const info = fromBinary(ErrorInfoSchema, Buffer.from(detail?.value ?? '', 'base64'))
  return info.reason
}
