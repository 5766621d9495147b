import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PROPERTY_NAME } from './property.ts'

const protos = resolve(import.meta.dirname, '../../../proto')

test('the .proto files and the service have one pattern of property names', () => {
  const files = readdirSync(protos, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.proto'),
  )
  const patterns = files.flatMap((name) =>
    [...readFileSync(join(protos, name), 'utf8').matchAll(/"(\^\[\$\]\?[^"]*)"/g)].map(([, text]) => text),
  )
  expect(patterns.length).toBeGreaterThan(5)
  expect([...new Set(patterns)]).toEqual([PROPERTY_NAME.source])
})
