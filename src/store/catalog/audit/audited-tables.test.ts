import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeCatalog } from '../../../../test/harness/describe-catalog.ts'
import { parseAuditedStatement } from './audited-statement.ts'
import { findAuditedTable } from './audited-tables.ts'
import { changedRowsOf, changesOf, idOf, textOf } from './changed-row.ts'

type AnyCatalog = Kysely<Record<string, Record<string, string>>>

/** Columns with secrets, sealed texts, digests, content of users or what a link grants. */
const SECRET =
  /sealed|hash|sha256|digest|share_id|token|subject$|^content$|payload|spec$|tiles$|definition$|event$/

describeCatalog('the columns of the audit log', (under) => {
  test('are none that may hold a secret, in any statement on any table', async () => {
    const { catalog } = under
    const tables = await catalog.introspection.getTables()
    const audited = tables.filter(({ name }) => findAuditedTable(name))
    expect(audited.length).toBeGreaterThanOrEqual(24)
    for (const { name, columns } of audited) {
      const row = Object.fromEntries(columns.map((column) => [column.name, `planted ${column.name}`]))
      const before = Object.fromEntries(columns.map((column) => [column.name, `earlier ${column.name}`]))
      const any = catalog as unknown as AnyCatalog
      const statements = [
        any.insertInto(name).values(row).toOperationNode(),
        any.updateTable(name).set(row).toOperationNode(),
        any.deleteFrom(name).toOperationNode(),
      ]
      const texts = statements.map((node) => {
        const statement = parseAuditedStatement(node)
        if (!statement) throw new Error(`${name} is not audited`)
        const rows = changedRowsOf(statement, { found: [before], returned: [row] })
        expect(rows).toHaveLength(1)
        const named = rows.map(({ table, after, before: old }) => textOf((after ?? old)?.[table.name ?? '']))
        return JSON.stringify([changesOf(rows), rows.map(idOf), named])
      })
      const shown = [...texts.join('').matchAll(/(?:planted|earlier) (\w+)/g)].map(([, column]) => column)
      expect(shown.length).toBeGreaterThan(0)
      expect({ name, shown: shown.filter((column = '') => SECRET.test(column)) }).toEqual({ name, shown: [] })
    }
  })
})
