import {
  type CompiledQuery,
  createQueryId,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  type QueryCompiler,
  type SelectQueryBuilder,
} from 'kysely'
import type { CatalogSchema } from '../schema/catalog-schema.ts'
import type { AuditedStatement, Row } from './audited-statement.ts'
import { columnsOf } from './audited-tables.ts'
import { ROWS_MAX } from './changed-row.ts'

/** Any table of the catalog: the statements here are about tables whose name only the changing statement has. */
type AnySchema = Readonly<Record<string, Record<string, unknown>>>

/** Writes the statements of the audit log for one engine, and runs them on the connection of the change. */
export class AuditStatements {
  readonly #compiler: QueryCompiler
  readonly #any: Kysely<AnySchema>
  readonly #locksRows: boolean
  /** Builds statements; it has no connection. */
  readonly builder: Kysely<CatalogSchema>

  constructor(dialect: Dialect) {
    this.#compiler = dialect.createQueryCompiler()
    this.#locksRows = dialect.createAdapter() instanceof PostgresAdapter
    const detached: Dialect = {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => this.#compiler,
    }
    this.#any = new Kysely<AnySchema>({ dialect: detached })
    this.builder = new Kysely<CatalogSchema>({ dialect: detached })
  }

  /** Reads the audited columns of the rows that a statement is about to change. */
  async readBefore(connection: DatabaseConnection, statement: AuditedStatement): Promise<readonly Row[]> {
    const compiled = statement.matched ? this.#selectMatched(statement) : this.#selectConflicting(statement)
    return compiled ? (await connection.executeQuery<Row>(compiled)).rows : []
  }

  #selectMatched({ tableName, table, matched }: AuditedStatement): CompiledQuery {
    const query = this.#any.selectFrom(tableName).select(columnsOf(table)).limit(ROWS_MAX)
    const { where: _, ...node } = this.#locked(query).toOperationNode()
    const where = matched === 'all' || matched === undefined ? {} : { where: matched }
    return this.#compiler.compileQuery({ ...node, ...where }, createQueryId())
  }

  #selectConflicting({
    tableName,
    table,
    inserted,
    conflictColumns,
  }: AuditedStatement): CompiledQuery | undefined {
    if (conflictColumns.length === 0 || inserted.length === 0) return undefined
    const rows = inserted.slice(0, ROWS_MAX)
    const query = this.#any
      .selectFrom(tableName)
      .select([...new Set([...columnsOf(table), ...conflictColumns])])
      .where(({ or, and, eb }) =>
        or(rows.map((row) => and(conflictColumns.map((name) => eb(name, '=', row[name]))))),
      )
    return this.#locked(query).compile()
  }

  /** Nobody changes a row between this and the change; transactions of SQLite have no others beside them. */
  #locked<O>(query: SelectQueryBuilder<AnySchema, string, O>): SelectQueryBuilder<AnySchema, string, O> {
    return this.#locksRows ? query.forNoKeyUpdate() : query
  }
}
