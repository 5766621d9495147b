import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import { withAudit } from '../../src/store/catalog/audit/audit-driver.ts'
import { type AuditScope, recordChanges } from '../../src/store/catalog/audit/audit-scope.ts'
import type { CatalogLocation } from '../../src/store/catalog/catalog.ts'
import { createPostgresDialect } from '../../src/store/catalog/postgres-dialect.ts'
import type { CatalogSchema } from '../../src/store/catalog/schema/catalog-schema.ts'
import { createSqliteDialect } from '../../src/store/catalog/sqlite-dialect.ts'

/** A change of an organisation's name that a process makes, and before which of its statements it kills itself. */
interface KilledWrite {
  readonly place: CatalogLocation
  readonly scope: AuditScope
  /** The organisation. */
  readonly id: string
  readonly name: string
  /** From 1. */
  readonly statement: number
}

/** Makes the change in a process of its own; whether it came to its end. */
export async function writeUntilKilled(write: KilledWrite): Promise<'ended' | 'killed'> {
  const file = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, [file, JSON.stringify(write)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  if (signal === 'SIGKILL') return 'killed'
  if (code === 0) return 'ended'
  throw new Error(`the process ended with ${code ?? signal}`)
}

/** Kills this process before its nth statement. */
function killAt(dialect: Dialect, statement: number): Dialect {
  const patched = new WeakSet<DatabaseConnection>()
  let count = 0
  const patch = (connection: DatabaseConnection): DatabaseConnection => {
    if (patched.has(connection)) return connection
    patched.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async (...query) => {
      count++
      if (count === statement) process.kill(process.pid, 'SIGKILL')
      return await execute(...query)
    }
    return connection
  }
  const createDriver = () => {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (...options) => patch(await acquire(...options))
    return driver
  }
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver,
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

async function writeName({ place, scope, id, name, statement }: KilledWrite): Promise<void> {
  const { dataDir, databaseUrl } = place
  const dialect =
    databaseUrl === undefined ? createSqliteDialect(dataDir) : createPostgresDialect(databaseUrl)
  const catalog = new Kysely<CatalogSchema>({ dialect: withAudit(killAt(dialect, statement)) })
  await recordChanges(
    scope,
    async () =>
      await catalog.updateTable('organisations').set({ display_name: name }).where('id', '=', id).execute(),
  )
  await catalog.destroy()
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeName(JSON.parse(process.argv[2] ?? '') as KilledWrite)
