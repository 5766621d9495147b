import { expect, test } from 'vitest'
import { openClickHouse } from './client.ts'
import { localTable, onCluster, onEveryNode, toClusterStatement } from './cluster.ts'

const OPTIONS = { application: 'millrace-test', connectionsMax: 1, requestTimeoutMs: 1000 }
const NOWHERE = { url: 'http://127.0.0.1:1' }

const one = openClickHouse(NOWHERE, OPTIONS)
const replicated = openClickHouse({ ...NOWHERE, cluster: { name: 'c', nodeUrls: [] } }, OPTIONS)
const plain = openClickHouse(
  { ...NOWHERE, cluster: { name: 'c', nodeUrls: ['http://127.0.0.1:1'] } },
  OPTIONS,
)

test.each([
  ['a server', one, 'events', '', 'system.mutations'],
  [
    'a cluster with a Keeper',
    replicated,
    'events_local',
    ' ON CLUSTER `c`',
    "clusterAllReplicas('c', system.mutations)",
  ],
  ['a cluster without one', plain, 'events_local', '', "clusterAllReplicas('c', system.mutations)"],
])('%s has the expected tables, statements and nodes', (_, clickhouse, table, on, mutations) => {
  expect(localTable(clickhouse, 'events')).toBe(table)
  expect(onCluster(clickhouse)).toBe(on)
  expect(onEveryNode(clickhouse, 'system.mutations')).toBe(mutations)
})

test.each([
  ['a IN (SELECT b FROM c)', 'a GLOBAL IN (SELECT b FROM c)'],
  ['a NOT IN (SELECT b FROM c)', 'a GLOBAL NOT IN (SELECT b FROM c)'],
  ['a IN (WITH x AS (SELECT 1) SELECT b FROM c)', 'a GLOBAL IN (WITH x AS (SELECT 1) SELECT b FROM c)'],
  [
    'a IN (SELECT b FROM c WHERE d NOT IN (SELECT 1))',
    'a GLOBAL IN (SELECT b FROM c WHERE d GLOBAL NOT IN (SELECT 1))',
  ],
  [
    'FROM events FINAL LEFT ANY JOIN (SELECT a FROM b) AS c ON a = d',
    'FROM events FINAL GLOBAL LEFT ANY JOIN (SELECT a FROM b) AS c ON a = d',
  ],
  ['a IN {p0:Array(String)} AND b IN (1, 2)', 'a IN {p0:Array(String)} AND b IN (1, 2)'],
])('%s becomes %s', (written, expected) => {
  expect(toClusterStatement(replicated, written)).toBe(expected)
  expect(toClusterStatement(one, written)).toBe(written)
})
