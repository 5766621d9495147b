import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkKind, checkPropertyKey } from '../../event/event-rules.ts'
import { FOREIGN_NAMES } from './foreign-names.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/import.md'), 'utf8')
const tables = Object.entries(FOREIGN_NAMES)

test.each(tables)('docs/import.md lists the names of %s', (_, { kinds, properties, omitted }) => {
  const rows = Object.entries({ ...kinds, ...properties }).map(
    ([theirs, ours]) => `| \`${theirs}\` | \`${ours}\` |`,
  )
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
  expect(page).toContain([...omitted].map((name) => `\`${name}\``).join(', '))
})

test.each(tables)('kinds and properties of %s are valid', (_, { kinds, properties }) => {
  expect(Object.values(kinds).map(checkKind).filter(Boolean)).toEqual([])
  expect(
    Object.values(properties)
      .map((key) => checkPropertyKey(key, 'auto'))
      .filter(Boolean),
  ).toEqual([])
})
