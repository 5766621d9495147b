import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { findServiceEntry } from '../harness/service-entry.ts'
import { freePort, waitFor } from '../harness/wait.ts'

/** A real service whose readiness cannot be checked over plain HTTP. */
export class TlsService {
  readonly #child: ChildProcess
  readonly #dataDir: string

  private constructor(child: ChildProcess, dataDir: string) {
    this.#child = child
    this.#dataDir = dataDir
  }

  /** Starts a service on a port, and waits until it logs that it listens. */
  static async start(port: number, settings: Readonly<Record<string, string>>): Promise<TlsService> {
    const dataDir = mkdtempSync(join(tmpdir(), 'millrace-tls-'))
    const entry = await findServiceEntry()
    const child = spawn(process.execPath, [entry.path, 'start'], {
      env: {
        PATH: process.env.PATH ?? '',
        ...entry.environment,
        SERVICE_DATA_DIR: dataDir,
        SERVICE_SERVER_PORT: String(port),
        SERVICE_ADMIN_PORT: String(await freePort()),
        SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
        SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk
    })
    const service = new TlsService(child, dataDir)
    try {
      await waitFor('the service to listen', () => {
        if (child.exitCode !== null) throw new Error(`the service ended: ${output.stderr}`)
        return output.stdout.includes('listens on') ? true : undefined
      })
    } catch (error) {
      await service.destroy()
      throw error
    }
    return service
  }

  /** Stops the service in order and removes its folder. */
  async destroy(): Promise<void> {
    this.#child.kill('SIGTERM')
    if (this.#child.exitCode === null) await once(this.#child, 'close')
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}
