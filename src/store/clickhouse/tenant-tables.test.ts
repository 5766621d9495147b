import { expect, test } from 'vitest'
import { listStatements } from './migrate.ts'
import { SINGLE } from './migrations/layout.ts'
import { scopedText, TENANT_TABLES } from './tenant-tables.ts'

test('the list has every table that stores rows of projects, besides events', () => {
  const statements = [...listStatements(SINGLE).values()].flat()
  const stored = statements.flatMap((statement) => {
    const [, name, columns = ''] =
      /^\s*CREATE TABLE IF NOT EXISTS (\w+) \(([\s\S]*)ENGINE = \w*MergeTree/.exec(statement) ?? []
    return name !== undefined && /\bproject UInt32\b/.test(columns) ? [name] : []
  })
  expect(stored.toSorted()).toEqual([...Object.keys(TENANT_TABLES), 'events'].toSorted())
})

test('a statement is restricted to the project of its parameter, and reads the latest version of rows that have several', () => {
  expect(scopedText('deliveries')).toBe('FROM deliveries WHERE project = {project:UInt32}')
  expect(scopedText('traits')).toBe('FROM traits FINAL WHERE project = {project:UInt32}')
})
