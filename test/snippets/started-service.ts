import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { freePort, waitFor } from '../harness/wait.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** As for every service of the tests: a busy machine takes fifty times as long as a quiet one. */
const START_MS_MAX = 100_000

/** A service that a command of the documentation started, on free ports and in a separate folder. */
export class StartedService {
  readonly #folder: string
  readonly #ports: { readonly server: number; readonly admin: number }
  #child: ChildProcess | undefined
  #output = ''

  private constructor(folder: string, ports: { readonly server: number; readonly admin: number }) {
    this.#folder = folder
    this.#ports = ports
  }

  /** Starts it and waits until it is ready. */
  static async start(command: string): Promise<StartedService> {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-docs-'))
    const service = new StartedService(folder, { server: await freePort(), admin: await freePort() })
    try {
      await service.#launch(command)
      return service
    } catch (error) {
      await service.stop()
      throw error
    }
  }

  /** Where it listens. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.server}`
  }

  /** Environment of commands: the service's settings, and the keys that the first start would print. */
  get environment(): Readonly<Record<string, string>> {
    return {
      PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter),
      HOME: process.env.HOME ?? this.#folder,
      SERVICE_DATA_DIR: join(this.#folder, 'data'),
      SERVICE_SERVER_PORT: String(this.#ports.server),
      SERVICE_ADMIN_PORT: String(this.#ports.admin),
      SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
      SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
      SERVICE_BOOTSTRAP_EMAIL: 'admin@example.org',
      SERVICE_BOOTSTRAP_PASSWORD: 'a long enough password',
      SERVICE_BATCH_MAX_MS: '200',
      PUBLIC_KEY,
      PRIVATE_KEY,
      EMAIL: 'admin@example.org',
      PASSWORD: 'a long enough password',
    }
  }

  /** A text of the documentation with this service's addresses in the place of the usual ones. */
  place(text: string): string {
    const { server, admin } = this.#ports
    return text
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${server}`)
      .replaceAll('127.0.0.1:9464', `127.0.0.1:${admin}`)
  }

  /** Stops it and removes its folder. */
  async stop(): Promise<void> {
    const file = join(this.#folder, 'data', 'run', 'supervisor.pid')
    const child = this.#child
    if (child !== undefined && child.exitCode === null) {
      const closed = once(child, 'close')
      if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM')
      else child.kill('SIGTERM')
      await closed
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #launch(command: string): Promise<void> {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn('bash', ['-c', command], { cwd: ROOT, env: this.environment, stdio: [...stdio] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#output += chunk
      })
    const isReady = async (): Promise<true | undefined> => {
      if (child.exitCode !== null) throw new Error(`the service ended: ${this.#output}`)
      return (await fetch(`${this.url}/readyz`)).status === 200 ? true : undefined
    }
    await waitFor('the service to be ready', isReady, START_MS_MAX)
  }
}
