import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { freePort, isAlive, waitFor } from '../harness/wait.ts'
import { call } from './client.ts'
import { ADMIN, SETUPS, type Setup, Target, type Tenant } from './target.ts'

const ENTRY = resolve(import.meta.dirname, '../../src/bin/millrace.ts')
const START_MS_MAX = 55_000

/** The roles of which a statement counts processes and memory. */
export const ROLES = ['supervisor', 'store', 'query', 'edge'] as const

/** A service in a separate process with two tenants. */
export class ServiceUnderAttack extends Target {
  readonly dataDir: string
  readonly output = { stdout: '', stderr: '' }
  readonly #child: ChildProcess

  private constructor(setup: Setup, dataDir: string, url: string, child: ChildProcess) {
    super(setup, url)
    this.dataDir = dataDir
    this.#child = child
    for (const kind of ['stdout', 'stderr'] as const)
      child[kind]?.on('data', (chunk) => {
        this.output[kind] += chunk
      })
  }

  /** Starts a service, waits until it serves, and makes the second tenant. */
  static async start(
    setup: Setup,
    extra: Readonly<Record<string, string>> = {},
  ): Promise<ServiceUnderAttack> {
    const dataDir = mkdtempSync(join(tmpdir(), 'millrace-abuse-'))
    const port = await freePort()
    const limit = setup === 'few-descriptors' ? 'ulimit -n 1024; ' : ''
    const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ENTRY, 'start'], {
      env: {
        PATH: process.env.PATH ?? '',
        SERVICE_DATA_DIR: dataDir,
        SERVICE_SERVER_PORT: String(port),
        SERVICE_ADMIN_PORT: String(await freePort()),
        SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
        SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
        SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
        SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
        SERVICE_BATCH_MAX_MS: '200',
        ...SETUPS[setup],
        ...extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const service = new ServiceUnderAttack(setup, dataDir, `http://127.0.0.1:${port}`, child)
    try {
      await service.#untilReady()
      service.tenant = await service.#makeTenant()
      return service
    } catch (error) {
      await service.destroy()
      throw error
    }
  }

  /** Process id of a role, as its pid file has it. */
  pid(role: (typeof ROLES)[number]): number {
    return Number(readFileSync(join(this.dataDir, 'run', `${role}.pid`), 'utf8'))
  }

  /** Stops everything in any state, and removes the folder. */
  async destroy(): Promise<void> {
    const pids = ROLES.flatMap((role) => {
      try {
        return [this.pid(role)]
      } catch {
        return []
      }
    })
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM')
      await once(this.#child, 'close')
    }
    await waitFor('all processes to be gone', () => (pids.some(isAlive) ? undefined : true))
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  async #untilReady(): Promise<void> {
    await waitFor(
      'the service to be ready',
      async () => {
        if (this.#child.exitCode !== null) return true
        return (await fetch(`${this.url}/readyz`)).status === 200 ? true : undefined
      },
      START_MS_MAX,
    )
    if (this.#child.exitCode !== null)
      throw new Error(`the service does not start: ${this.output.stderr.slice(-400)}`)
  }

  async #makeTenant(): Promise<Tenant> {
    const { token } = await this.signIn()
    const authorization = `Bearer ${token}`
    const make = async (method: string, body: object, more = {}): Promise<Record<string, never>> => {
      const { status, json } = await call(this.url, method, body, { authorization, ...more })
      if (status !== 200) throw new Error(`${method} answers ${status} ${JSON.stringify(json)}`)
      return json as Record<string, never>
    }
    const { org } = await make('dashboard.orgs.v1.OrgsService/Create', { displayName: 'Other' })
    const { id: orgId } = org as unknown as { readonly id: string }
    const { project } = await make('dashboard.projects.v1.ProjectsService/Create', {
      orgId,
      displayName: 'Other',
    })
    const { id: projectId } = project as unknown as { readonly id: string }
    const keyOf = async (kind: string): Promise<string> => {
      const method = 'dashboard.projects.v1.ProjectsService/CreateApiKey'
      return String((await make(method, { kind }, { 'x-project-id': projectId })).key)
    }
    return {
      orgId,
      projectId,
      privateKey: await keyOf('API_KEY_KIND_PRIVATE'),
      publicKey: await keyOf('API_KEY_KIND_PUBLIC'),
    }
  }
}
