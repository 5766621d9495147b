import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery, type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'
import Database from 'libsql'
import { monotonicMs } from '../../kernel/clock.ts'

/** The file of the embedded catalog in a data folder. */
export const CATALOG_FILE = 'catalog.sqlite'

/** How long a writer waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000

/** The embedded catalog of a data folder, shared by all processes of the machine. */
export function createSqliteDialect(dataDir: string): SqliteDialect {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new Database(join(dataDir, CATALOG_FILE))
  database.pragma(`busy_timeout=${BUSY_TIMEOUT_MS}`)
  database.pragma('journal_mode=WAL')
  database.pragma('synchronous=FULL')
  database.pragma('foreign_keys=ON')
  // What is deleted or replaced is overwritten: it may be what somebody asked to be forgotten.
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

/** Statements run on the thread of the process: after so many milliseconds of them, other work has its turn. */
const TURN_MS = 5

/** A transaction that takes the right to write only with its first write fails when somebody wrote since its first read. */
class ImmediateSqliteDriver extends SqliteDriver {
  #turnStartMs: number | undefined

  /** A long queue of statements would otherwise run in one turn of the event loop, in which no socket is read. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    const nowMs = monotonicMs()
    if (this.#turnStartMs === undefined) {
      this.#turnStartMs = nowMs
      setImmediate(() => {
        this.#turnStartMs = undefined
      })
    } else if (nowMs - this.#turnStartMs >= TURN_MS) await new Promise(setImmediate)
    return connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
