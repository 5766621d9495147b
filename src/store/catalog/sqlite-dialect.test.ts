import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openCatalog } from './catalog.ts'

/** Takes some milliseconds. */
const SLOW = sql`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT max(n) FROM c`

test('a queue of statements leaves turns to other work', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-catalog-'))
  const catalog = openCatalog({ dataDir })
  let isDone = false
  let turns = 0
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  try {
    await SLOW.execute(catalog)
    setImmediate(count)
    await Promise.all(Array.from({ length: 60 }, async () => await SLOW.execute(catalog)))
    expect(turns).toBeGreaterThan(5)
  } finally {
    isDone = true
    await catalog.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
