import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { TENANT_TABLES, type TenantTable } from '../../store/clickhouse/tenant-tables.ts'
import { scopedTable, scopedVersions } from './scoped-table.ts'
import { render } from './sql.ts'

const TABLES = Object.keys(TENANT_TABLES) as readonly TenantTable[]
const PROJECT = asProjectId(7)

test.each(TABLES)('%s is read within one project', (table) => {
  const statements = [scopedTable(table, PROJECT), scopedVersions(table, PROJECT)].map(render)
  const from = new RegExp(`^FROM ${table}( FINAL)? WHERE project = {p0:UInt32}$`)
  expect(statements.map(({ text }) => from.test(text))).toEqual([true, true])
  expect(statements.map(({ params }) => params)).toEqual([{ p0: 7 }, { p0: 7 }])
})

test('a reader sees the latest version of a trait, an erasure every version', () => {
  expect(render(scopedTable('traits', PROJECT)).text).toContain('FROM traits FINAL WHERE')
  expect(render(scopedVersions('traits', PROJECT)).text).toContain('FROM traits WHERE')
})
