import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery, type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'
import Database from 'libsql'
import { monotonicMs } from '../../kernel/clock.ts'

/** The file of the embedded catalog in a data folder. */
export const CATALOG_FILE = 'catalog.sqlite'

/** Milliseconds that a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5000

/** The embedded catalog of a data folder, shared by all processes of the machine. */
export function createSqliteDialect(dataDir: string): SqliteDialect {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new Database(join(dataDir, CATALOG_FILE))
  database.pragma(`busy_timeout=${BUSY_TIMEOUT_MS}`)
  database.pragma('journal_mode=WAL')
  database.pragma('synchronous=FULL')
  database.pragma('foreign_keys=ON')
  // Overwrites deleted content: it may be personal data that was erased.
  database.pragma('secure_delete=ON')
  return new ImmediateSqliteDialect({ database })
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0]

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config)
    this.#config = config
  }

  override createDriver(): ImmediateSqliteDriver {
    return new ImmediateSqliteDriver(this.#config)
  }
}

/** Time slice: SQLite statements block this thread, so after this many milliseconds the event loop handles other work. */
const SLICE_MS = 5

/** Takes the write lock at the start of a transaction: taking it at the first write fails if another process wrote since the first read. */
class ImmediateSqliteDriver extends SqliteDriver {
  #sliceStartMs: number | undefined

  /** Yields between statements: a long queue of them would otherwise keep the event loop from reading sockets. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    const nowMs = monotonicMs()
    if (this.#sliceStartMs === undefined) {
      this.#sliceStartMs = nowMs
      setImmediate(() => {
        this.#sliceStartMs = undefined
      })
    } else if (nowMs - this.#sliceStartMs >= SLICE_MS) await new Promise(setImmediate)
    return connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
