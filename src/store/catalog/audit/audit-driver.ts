import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import { type AuditScope, activeScope } from './audit-scope.ts'
import { AuditStatements } from './audit-statements.ts'
import { type AuditedStatement, parseAuditedStatement } from './audited-statement.ts'
import { type ChangedRow, changedRowsOf, ROWS_MAX } from './changed-row.ts'
import { countEntries, writeEntries } from './write-entries.ts'

/** The changes of a transaction that have no entry yet. */
interface OpenTransaction {
  readonly scope: AuditScope | undefined
  readonly rows: ChangedRow[]
  isChanged: boolean
}

/**
 * A dialect whose transactions end with the entries of the audit log about what they changed, when a caller asked for it
 * (`recordChanges`): the change and its entry are durable together or not at all.
 */
export function withAudit(dialect: Dialect): Dialect {
  const statements = new AuditStatements(dialect)
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new AuditDriver(dialect.createDriver(), statements),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

class AuditDriver implements Driver {
  readonly #inner: Driver
  readonly #statements: AuditStatements
  /** One for each connection of the inner driver, which pools them. */
  readonly #connections = new WeakMap<DatabaseConnection, AuditedConnection>()

  constructor(inner: Driver, statements: AuditStatements) {
    this.#inner = inner
    this.#statements = statements
  }

  async init(...options: Parameters<Driver['init']>): Promise<void> {
    await this.#inner.init(...options)
  }

  async acquireConnection(...options: Parameters<Driver['acquireConnection']>): Promise<DatabaseConnection> {
    const inner = await this.#inner.acquireConnection(...options)
    const known = this.#connections.get(inner)
    if (known) return known
    const made = new AuditedConnection(inner, this.#inner, this.#statements)
    this.#connections.set(inner, made)
    return made
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await audited(connection).begin(settings)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await audited(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await audited(connection).rollback()
  }

  async releaseConnection(
    connection: DatabaseConnection,
    ...options: [Parameters<Driver['releaseConnection']>[1]?]
  ): Promise<void> {
    await this.#inner.releaseConnection(audited(connection).inner, ...options)
  }

  async destroy(...options: Parameters<Driver['destroy']>): Promise<void> {
    await this.#inner.destroy(...options)
  }
}

function audited(connection: DatabaseConnection): AuditedConnection {
  if (connection instanceof AuditedConnection) return connection
  throw new Error('the connection belongs to another driver')
}

class AuditedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #driver: Driver
  readonly #statements: AuditStatements
  #transaction: OpenTransaction | undefined

  constructor(inner: DatabaseConnection, driver: Driver, statements: AuditStatements) {
    this.inner = inner
    this.#driver = driver
    this.#statements = statements
  }

  async begin(settings: TransactionSettings): Promise<void> {
    await this.#driver.beginTransaction(this.inner, settings)
    this.#transaction = { scope: activeScope(), rows: [], isChanged: false }
  }

  async commit(): Promise<void> {
    const ended = this.#transaction
    if (ended?.scope && ended.isChanged) await this.#commitWithEntries(ended.scope, ended.rows)
    else await this.#driver.commitTransaction(this.inner)
    this.#transaction = undefined
  }

  async #commitWithEntries(scope: AuditScope, rows: readonly ChangedRow[]): Promise<void> {
    const { builder } = this.#statements
    await countEntries(async () => {
      const count = await writeEntries({ connection: this.inner, builder }, { scope, rows })
      await this.#driver.commitTransaction(this.inner)
      return count
    })
  }

  async rollback(): Promise<void> {
    this.#transaction = undefined
    await this.#driver.rollbackTransaction(this.inner)
  }

  async executeQuery<R>(
    compiled: CompiledQuery,
    ...options: [Parameters<DatabaseConnection['executeQuery']>[1]?]
  ): Promise<QueryResult<R>> {
    const scope = this.#transaction ? this.#transaction.scope : activeScope()
    const statement = scope && parseAuditedStatement(compiled.query)
    if (!statement) return await this.inner.executeQuery<R>(compiled, ...options)
    if (this.#transaction) return await this.#change<R>(statement, compiled, this.#transaction)
    await this.begin({})
    try {
      const result = await this.executeQuery<R>(compiled)
      await this.commit()
      return result
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  async *streamQuery<R>(
    ...query: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<R>> {
    yield* this.inner.streamQuery<R>(...query)
  }

  async #change<R>(
    statement: AuditedStatement,
    compiled: CompiledQuery,
    transaction: OpenTransaction,
  ): Promise<QueryResult<R>> {
    const found = await this.#statements.readBefore(this.inner, statement)
    const result = await this.inner.executeQuery<R>(compiled)
    if (Number(result.numAffectedRows ?? result.rows.length) === 0) return result
    const returned: readonly unknown[] = result.rows
    transaction.isChanged = true
    keep(transaction, changedRowsOf(statement, { found, returned: returned.filter(isRow) }))
    return result
  }
}

/** Keeps rows of the object of the call first: a project is deleted after everything in it. */
function keep({ scope, rows }: OpenTransaction, changed: readonly ChangedRow[]): void {
  const isObject = ({ table }: ChangedRow): boolean => table.object === scope?.object
  const ordered = [...rows, ...changed]
  rows.splice(0, rows.length, ...ordered.filter(isObject), ...ordered.filter((row) => !isObject(row)))
  rows.splice(ROWS_MAX)
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
