import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SCALED_OUT, TOPOLOGY_VARIABLE } from './topology.ts'

/** A file of tests that holds for one machine only, or one of its tests. */
interface OneMachine {
  readonly file: string
  /** The beginning of a test's title; absent when the whole file is meant. */
  readonly title?: string
  readonly reason: string
}

/** Black-box tests that every change is tested with on two edges and two query processes as well. */
export const SCALED_OUT_GATE: readonly string[] = ['test/one-event.test.ts', 'test/protocols/keys.test.ts']

const STORE_OF_ITS_OWN = 'chooses its own machines, or has the embedded store in its folder'
const SLOW_TABLE = 'exchanges a table of one server for one that is slow'

/** Tests that stay on one machine, with the reason. */
export const ONE_MACHINE: readonly OneMachine[] = [
  { file: 'test/absent-store.test.ts', reason: STORE_OF_ITS_OWN },
  { file: 'test/backup.test.ts', reason: 'a backup is of one data folder' },
  { file: 'test/clock-jumps.test.ts', reason: 'sets the clock of all processes by one file' },
  {
    file: 'test/doctor.test.ts',
    reason: 'the doctor looks at one machine; test/cluster.test.ts asks it of two',
  },
  { file: 'test/faults', reason: STORE_OF_ITS_OWN },
  { file: 'test/metrics/metrics.test.ts', reason: 'each machine has metrics of its own roles only' },
  { file: 'test/protocols/drain.test.ts', reason: 'the front takes connections while machines stop' },
  { file: 'test/refused-start.test.ts', reason: 'two starts on one data folder' },
  {
    file: 'test/request-ids.test.ts',
    reason: 'kills a role that another machine has as well, and so nothing fails',
  },
  {
    file: 'test/sdk-node/node-client.test.ts',
    reason: 'reads the embedded store, and kills an edge that another machine has as well',
  },
  { file: 'test/supervision.test.ts', reason: 'the processes of one machine' },
  {
    file: 'test/tenant-isolation-postgres.test.ts',
    reason: 'test/tenant-isolation.test.ts is on PostgreSQL here',
  },
  { file: 'test/tracing.test.ts', reason: 'counts the spans of one machine' },
  { file: 'test/two-edges.test.ts', reason: STORE_OF_ITS_OWN },
  { file: 'test/cluster.test.ts', reason: STORE_OF_ITS_OWN },
  { file: 'test/upgrade.test.ts', reason: 'an old data folder with its embedded stores' },
  {
    file: 'test/mcp.test.ts',
    title: 'a cancelled call cancels its ClickHouse query',
    reason: SLOW_TABLE,
  },
  {
    file: 'test/mcp.test.ts',
    title: 'calls are counted by tool and outcome',
    reason: 'metrics of one machine',
  },
  {
    file: 'test/protocols/matrix.test.ts',
    title: 'a query over its deadline is deadline_exceeded in every coding',
    reason: SLOW_TABLE,
  },
  {
    file: 'test/protocols/matrix.test.ts',
    title: 'ClickHouse stops a query whose client cancels it',
    reason: SLOW_TABLE,
  },
  {
    file: 'test/query-cost.test.ts',
    title: 'a cached answer is marked',
    reason: 'each query process keeps answers of its own',
  },
  {
    file: 'test/protocols/proxies.test.ts',
    title: 'a service with a separate port for HTTP/2',
    reason: 'two edges of one host cannot share the port',
  },
]

const ROOT = resolve(import.meta.dirname, '../..')

/** How a test file starts a service, by itself or through the harness. */
export const STARTS_SERVICE = /TestService\.start|startConsoleService\(/

/** All test files that start a service and do not stay on one machine: `npm run test:scaled-out`. */
export function listScaledOut(): readonly string[] {
  const whole = ONE_MACHINE.filter(({ title }) => title === undefined).map(({ file }) => file)
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !whole.some((file) => `${path}/`.startsWith(`${file}/`)))
    .filter((path) => STARTS_SERVICE.test(readFileSync(join(ROOT, path), 'utf8')))
    .sort()
}

/** Options of a vitest project that runs its files on that topology. */
export const SCALED_OUT_PROJECT = {
  env: { [TOPOLOGY_VARIABLE]: SCALED_OUT },
  setupFiles: ['test/harness/fresh-connections.ts'],
  testNamePattern: allButTitles(ONE_MACHINE.flatMap(({ title }) => title ?? [])),
  // More processes than cores: a start alone takes long.
  testTimeout: 120_000,
  hookTimeout: 180_000,
}

function allButTitles(titles: readonly string[]): RegExp {
  const escaped = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^(?!.*(?:${escaped.join('|')}))`)
}
