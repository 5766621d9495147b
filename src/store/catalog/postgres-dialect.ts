import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import { Pool, types } from 'pg'
import { ServiceError } from '../../contract/service-error.ts'

/** Connections of one process; PostgreSQL's own limit is 100 for all of them. */
const CONNECTIONS_MAX = 10

/** A pool that is busy, or a server that is not there, is told to the caller after this long. */
const CONNECT_TIMEOUT_MS = 5000

const IDLE_TIMEOUT_MS = 30_000

/** Every statement of the catalog takes milliseconds; one that waits for a lock may take longer. */
const STATEMENT_TIMEOUT_MS = 20_000

/** On top of the server's own limit, for a network that is gone. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000

/** A process that hangs in the middle of a transaction gives its locks back. */
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
  // The pool replaces a connection that broke while nobody used it; without a listener the process would end.
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

/** A server that cannot be reached is nobody's mistake: whoever called may try again. */
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
        message: 'the catalog does not answer; try again',
        cause,
      })
    }
  }
}

/** Times and counts are far below 2^53, so that both databases answer them as numbers. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === types.builtins.INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format as 'text')
}
