import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listStatements, SCHEMA_VERSION } from '../migrate.ts'
import { createClusterLayout, SINGLE } from './layout.ts'

/** The statements of schema 6, with which existing data folders were created; white space is ignored. */
const FIRST_STATEMENTS = JSON.parse(
  readFileSync(new URL('single-statements.json', import.meta.url), 'utf8'),
) as Record<string, readonly string[]>

const REPLICATED = createClusterLayout({ cluster: 'c', database: 'db', kind: 'replicated' })
const PLAIN = createClusterLayout({ cluster: 'c', database: 'db', kind: 'plain' })

/** One line, without the spaces that a change of indentation moves. */
function normalise(statement: string): string {
  return statement.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim()
}

function statementsOf(layout: typeof SINGLE): readonly string[] {
  return [layout.migrationTable, ...[...listStatements(layout).values()].flat()].map(normalise)
}

/** Settings that only affect performance: existing tables may lack them. */
const SETTINGS_OF_NEW_STORES = 'index_granularity = 2048, min_compress_block_size = 16384, '

test('released migrations of a single server are unchanged', () => {
  const statements = [...listStatements(SINGLE)].filter(([version]) => version <= 6)
  const forgetNewSettings = (statement: string): string => statement.replace(SETTINGS_OF_NEW_STORES, '')
  expect(
    Object.fromEntries(
      statements.map(([version, list]) => [version, list.map(normalise).map(forgetNewSettings)]),
    ),
  ).toEqual(FIRST_STATEMENTS)
})

test('versions count up by one', () => {
  const versions = [...listStatements(SINGLE).keys()]
  expect(versions).toEqual(versions.map((_, index) => index + 1))
  expect(versions).toHaveLength(SCHEMA_VERSION)
})

describe('in a cluster with a Keeper', () => {
  const statements = statementsOf(REPLICATED)

  test('every statement runs on all nodes', () => {
    expect(statements.filter((statement) => !statement.includes(' ON CLUSTER `c`'))).toEqual([])
  })

  test('every table with rows is replicated, and its plain name reads all shards', () => {
    const created = statements.filter((statement) => statement.startsWith('CREATE TABLE'))
    const stored = created.filter((statement) => /ENGINE = \w*MergeTree/.test(statement))
    expect(stored).toHaveLength(24)
    expect(
      stored.filter((statement) => !/ENGINE = Replicated\w*MergeTree\('\/clickhouse\//.test(statement)),
    ).toEqual([])
    expect(
      created.filter((statement) => /ENGINE = Distributed\('c', 'db', \w+_local/.test(statement)),
    ).toHaveLength(24)
  })

  test('a replicated engine keeps its argument', () => {
    const events = statements.find((statement) => statement.includes('EXISTS events_local'))
    expect(events).toContain(
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/{shard}/events_local', '{replica}', ingested)",
    )
  })
})

describe('a table with rows stores INSERTs that repeat an earlier one', () => {
  const WINDOWS = [
    ['on a single server', SINGLE, 'non_replicated_deduplication_window'],
    ['in a cluster without a Keeper', PLAIN, 'non_replicated_deduplication_window'],
    ['in a cluster with a Keeper', REPLICATED, 'replicated_deduplication_window'],
  ] as const

  test.each(WINDOWS)('%s', (_, layout, window) => {
    const statements = statementsOf(layout)
    const created = statements.flatMap(
      (text) => /EXISTS (\w+) .*\) ENGINE = \w*MergeTree/.exec(text)?.[1] ?? [],
    )
    const stored = created.filter((table) => table !== 'migrations')
    const alter = new RegExp(`^ALTER TABLE (\\w+)(?: ON CLUSTER \`c\`)? MODIFY SETTING ${window} = 0$`)
    const altered = statements.flatMap((text) => alter.exec(text)?.[1] ?? [])
    expect(altered.sort()).toEqual(stored.sort())
  })

  test('in new tables of a cluster', () => {
    const tables = (layout: typeof SINGLE): readonly string[] =>
      statementsOf(layout).filter((text) => /EXISTS \w+_local.* ENGINE = \w*MergeTree/.test(text))
    expect(tables(PLAIN).filter((text) => text.includes('deduplication_window'))).toEqual([])
    expect(
      tables(REPLICATED).filter((text) => !text.includes(' replicated_deduplication_window = 0')),
    ).toEqual([])
  })
})

test('a cluster without a Keeper has no replicated table', () => {
  const statements = statementsOf(PLAIN)
  expect(statements.filter((statement) => /ON CLUSTER|ENGINE = Replicated/.test(statement))).toEqual([])
})
