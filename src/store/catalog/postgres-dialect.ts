import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import { Pool, types } from 'pg'
import { ServiceError } from '../../contract/service-error.ts'

/** Connections of one process; PostgreSQL's own limit is 100 for all of them. */
const CONNECTIONS_MAX = 10

/** Time that a caller waits for a connection while the pool is exhausted or the server is unreachable. */
const CONNECT_TIMEOUT_MS = 5000

const IDLE_TIMEOUT_MS = 30_000

/** Statements of the catalog take milliseconds; waiting for a lock may take longer. */
const STATEMENT_TIMEOUT_MS = 20_000

/** Longer than the server's own limit, in case the network fails. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000

/** Releases the locks of a process that hangs during a transaction. */
const IDLE_TRANSACTION_TIMEOUT_MS = 20_000

/** The catalog on a PostgreSQL server, shared by every machine of the installation. */
export function createPostgresDialect(url: string): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    fallback_application_name: 'millrace',
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // The pool replaces an idle connection that broke; without a listener, the error would end the process.
  pool.on('error', () => undefined)
  return new ReachablePostgresDialect({ pool })
}

class ReachablePostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): ReachablePostgresDriver {
    return new ReachablePostgresDriver(this.#config)
  }
}

/** Reports an unreachable server as `unavailable`, so that clients retry. */
class ReachablePostgresDriver extends PostgresDriver {
  override async acquireConnection(
    options?: Parameters<PostgresDriver['acquireConnection']>[0],
  ): Promise<DatabaseConnection> {
    try {
      return await super.acquireConnection(options)
    } catch (cause) {
      throw new ServiceError({
        code: 'unavailable',
        reason: 'STORE_UNAVAILABLE',
        message: 'the catalog is unavailable; try again',
        cause,
      })
    }
  }
}

/** Parses 64-bit integers as numbers, as SQLite does: times and counts are far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format as 'text')
}
