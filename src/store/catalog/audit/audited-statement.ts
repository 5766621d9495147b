import type {
  ColumnUpdateNode,
  DeleteQueryNode,
  InsertQueryNode,
  OperationNode,
  RootOperationNode,
  UpdateQueryNode,
  WhereNode,
} from 'kysely'
import { type AuditedTable, findAuditedTable } from './audited-tables.ts'

/** A row, or its audited columns. */
export type Row = Readonly<Record<string, unknown>>

/** A statement that changes an audited table. */
export interface AuditedStatement {
  readonly tableName: string
  readonly table: AuditedTable
  /** The rows that an INSERT names; empty for other statements, and for rows that a query selects. */
  readonly inserted: readonly Row[]
  /** The condition of the rows that exist before it; `all` without one, absent when none do or it joins other tables. */
  readonly matched: WhereNode | 'all' | undefined
  /** The columns by which an INSERT finds the rows that it updates instead; empty when it updates none. */
  readonly conflictColumns: readonly string[]
  /** The values that it sets, without those that the database computes. */
  readonly updates: Row
  readonly deletes: boolean
}

const NOTHING = { inserted: [], matched: undefined, conflictColumns: [], updates: {}, deletes: false }

/** The changes that a statement makes to an audited table; `undefined` for every other statement. */
export function parseAuditedStatement(node: RootOperationNode): AuditedStatement | undefined {
  switch (node.kind) {
    case 'InsertQueryNode':
      return withTable(node.into, () => parseInsert(node))
    case 'UpdateQueryNode':
      return withTable(node.table, () => parseUpdate(node))
    case 'DeleteQueryNode':
      return withTable(node.from.froms[0], () => parseDelete(node))
    default:
      return undefined
  }
}

type Parts = Omit<AuditedStatement, 'tableName' | 'table'>

function withTable(node: OperationNode | undefined, parse: () => Parts): AuditedStatement | undefined {
  const tableName = tableNameOf(node)
  const table = findAuditedTable(tableName)
  return table && { tableName, table, ...parse() }
}

function parseInsert({ columns = [], values, onConflict }: InsertQueryNode): Parts {
  const names = columns.map(({ column }) => column.name)
  const isUpdate = onConflict?.updates !== undefined
  return {
    ...NOTHING,
    inserted: listsOf(values).map((list) =>
      Object.fromEntries(names.map((name, index) => [name, list[index]])),
    ),
    conflictColumns: isUpdate ? (onConflict.columns ?? []).map(({ column }) => column.name) : [],
    updates: isUpdate ? updatesOf(onConflict.updates) : {},
  }
}

function parseUpdate({ updates, from, joins, where }: UpdateQueryNode): Parts {
  const isJoined = from !== undefined || joins !== undefined
  return { ...NOTHING, matched: isJoined ? undefined : (where ?? 'all'), updates: updatesOf(updates) }
}

function parseDelete({ using, joins, where }: DeleteQueryNode): Parts {
  const isJoined = using !== undefined || joins !== undefined
  return { ...NOTHING, matched: isJoined ? undefined : (where ?? 'all'), deletes: true }
}

function tableNameOf(node: OperationNode | undefined): string {
  if (node === undefined) return ''
  if (node.kind === 'AliasNode' && 'node' in node) return tableNameOf(node.node as OperationNode)
  if (node.kind !== 'TableNode' || !('table' in node)) return ''
  const { identifier } = node.table as { readonly identifier: { readonly name: string } }
  return identifier.name
}

function updatesOf(updates: readonly ColumnUpdateNode[] = []): Row {
  return Object.fromEntries(
    updates.flatMap(({ column, value }) => {
      const name = columnNameOf(column)
      const known = knownValue(value)
      return name === undefined || known === undefined ? [] : [[name, known.value]]
    }),
  )
}

function columnNameOf(node: OperationNode): string | undefined {
  if (node.kind !== 'ColumnNode' || !('column' in node)) return undefined
  return (node.column as { readonly name: string }).name
}

/** The values of each row of an INSERT; `undefined` for one that the database computes. */
function listsOf(node: OperationNode | undefined): readonly (readonly unknown[])[] {
  if (node?.kind !== 'ValuesNode' || !('values' in node)) return []
  return (node.values as readonly OperationNode[]).map((item) => {
    if (!('values' in item)) return []
    if (item.kind === 'PrimitiveValueListNode') return item.values as readonly unknown[]
    return (item.values as readonly OperationNode[]).map((value) => knownValue(value)?.value)
  })
}

function knownValue(node: OperationNode): { readonly value: unknown } | undefined {
  return node.kind === 'ValueNode' && 'value' in node ? { value: node.value } : undefined
}
