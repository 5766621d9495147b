import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import {
  DATABASE,
  type Engine,
  engineBackupsFolder,
  LOCAL_ACCESS,
  startEngine,
} from '../../src/store/embedded/engine.ts'
import { connectWorldStore, type WorldStore } from './world-store.ts'

/** An engine that is killed and started again, on a folder that stays. */
export class KillableStore {
  readonly #folder: string
  #engine: Engine | undefined
  #store: WorldStore | undefined

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts an engine on an empty folder; it has the schema of the service unless a backup brings one. */
  static async open(schema: 'migrated' | 'empty' = 'migrated'): Promise<KillableStore> {
    const killable = new KillableStore(mkdtempSync(join(tmpdir(), 'millrace-killed-')))
    await killable.start()
    if (schema === 'migrated') await migrateClickHouse(killable.store.clickhouse, LOCAL_ACCESS)
    return killable
  }

  /** Connected to the running engine. */
  get store(): WorldStore {
    if (!this.#store) throw new Error('the engine does not run')
    return this.#store
  }

  /** Starts the engine on what is on the disk. */
  async start(): Promise<void> {
    const engine = await startEngine({ dataFolder: this.#folder, startTimeoutMs: 120_000 })
    const { user, password } = engine.admin
    const endpoint = { url: engine.url, database: DATABASE, username: user, password }
    this.#engine = engine
    this.#store = connectWorldStore(
      { endpoint, close: async () => await engine.stop() },
      { firstProject: 1, isFolded: false },
    )
  }

  /** Ends the engine as a crash does; calls that run fail. */
  async kill(): Promise<void> {
    if (!this.#engine) return
    process.kill(this.#engine.pid, 'SIGKILL')
    await this.#engine.exited
    await this.close()
  }

  /** Makes a backup readable for another engine. */
  copyBackup(name: string, to: KillableStore): void {
    const [from, target] = [this.#folder, to.#folder].map((folder) => join(engineBackupsFolder(folder), name))
    cpSync(from ?? '', target ?? '', { recursive: true })
  }

  async close(): Promise<void> {
    const store = this.#store
    this.#store = undefined
    this.#engine = undefined
    await store?.close()
  }

  /** Closes it and deletes the folder. */
  async destroy(): Promise<void> {
    await this.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
