import { describe, expect, test } from 'vitest'
import { formatBreach } from './breach.ts'
import { parseFolderOrders } from './check-folders.ts'
import { applyExceptions, type Exception } from './exceptions.ts'
import { findBreaches } from './find-breaches.ts'
import { parseLayers } from './layers.ts'

const layers = parseLayers(`
| layer | may import | packages | owns |
|---|---|---|---|
| kernel | - | - | the clock |
| store | kernel | kysely, @scope/name | the tables |
| query | store kernel | - | the questions |
| bin | * | - | the command line |

| another | table |
`)
const folderOrders = parseFolderOrders(`
| layer | order from top to bottom |
|---|---|
| query | insights . sql |
| query/insights | trends . |
| console | pages ui |
| bin | . top * sql |
`)
const dependencies = ['kysely', '@scope/name', 'pino']
const around = [{ path: 'test/rows.test.ts', text: `import { now, run } from '../src/store/rows.ts'` }]

function breachesOf(path: string, text: string): ReturnType<typeof findBreaches> {
  return findBreaches({ files: [{ path, text }], client: [], around, layers, folderOrders, dependencies })
}

/** A file and the one line that it earns; no line means that it is clean. */
type Case = [path: string, text: string, line?: string]

async function check(...[path, text, line]: Case): Promise<void> {
  const breaches = await breachesOf(path, text)
  expect(breaches.map(formatBreach)).toEqual(line === undefined ? [] : [line])
}

const STORE = 'layer store may import kernel'

describe('imports', () => {
  test.each<Case>([
    ['src/store/rows.ts', `import { a } from './tables/a.ts'\nimport { b } from '../kernel/b.ts'`],
    ['src/store/tables/a.ts', `export { b } from '../../kernel/b.ts'`],
    ['src/bin/start.ts', `import '../query/a.ts'\nimport '../store/b.ts'\nimport '../kernel/c.ts'`],
    ['src/store/rows.ts', `// import '../query/a.ts'\nconst text = "import '../query/a.ts'"`],
    ['src/store/rows.ts', `const page = new URL('/healthz', address)`],
    ['src/store/rows.ts', `const worker = new URL('tables/a.ts', import.meta.url)`],
    ['src/store/rows.test.ts', `import { seed } from '../../test/seed.ts'\nawait import(path)`],
    [
      'src/store/rows.ts',
      `\nimport { a } from '../query/a.ts'`,
      `src/store/rows.ts:2 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `import type { A } from '../query/a.ts'`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `import {\n  a,\n} from '../query/a.ts'`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    ['src/store/rows.ts', `import '../query/a.ts'`, `src/store/rows.ts:1 imports query/a.ts: ${STORE}`],
    [
      'src/store/rows.ts',
      `export * from '../query/a.ts'`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `let a: import('../query/a.ts').A`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `await import('../query/a.ts')`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      'await import(`../query/a.ts`)',
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `import.meta.resolve('../query/a.ts')`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    ['src/store/rows.ts', `require('../query/a.ts')`, `src/store/rows.ts:1 imports query/a.ts: ${STORE}`],
    [
      'src/store/rows.ts',
      `new URL('../query/a.ts', import.meta.url)`,
      `src/store/rows.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.test.ts',
      `import '../query/a.ts'`,
      `src/store/rows.test.ts:1 imports query/a.ts: ${STORE}`,
    ],
    [
      'src/store/rows.ts',
      `await import(path)`,
      `src/store/rows.ts:1 imports a module whose name is computed: ${STORE}`,
    ],
    [
      'src/bin/start.ts',
      `import '../../test/seed.ts'`,
      'src/bin/start.ts:1 imports test/seed.ts, which is in no layer: layer bin may import kernel store query',
    ],
    [
      'src/kernel/clock.ts',
      `import '../store/rows.ts'`,
      'src/kernel/clock.ts:1 imports store/rows.ts: layer kernel may import no other layer',
    ],
    ['src/mail/send.ts', '', 'src/mail/send.ts:1 is in no layer: its folder is not a row of the layer table'],
    ['src/index.ts', '', 'src/index.ts:1 is in no layer: its folder is not a row of the layer table'],
  ])('%s with %j', check)
})

describe('folders', () => {
  const above = (target: string, own: string): string => `${target} is above ${own} in the order of`

  test.each<Case>([
    ['src/query/insights/run.ts', `import '../server.ts'\nimport '../sql/run.ts'\nimport './parse.ts'`],
    ['src/query/server.ts', `import './sql/run.ts'\nimport './limits.ts'`],
    ['src/query/insights/trends/run.ts', `import '../parse.ts'\nimport '../../sql/run.ts'`],
    ['src/query/sql/run.test.ts', `import '../insights/run.ts'`],
    ['src/store/tables/rows.ts', `import '../other/rows.ts'`],
    ['src/bin/tables/rows.ts', `import '../sql/rows.ts'\nimport './more/rows.ts'`],
    [
      'src/bin/tables/rows.ts',
      `import '../other/rows.ts'`,
      'src/bin/tables/rows.ts:1 imports src/bin/other/rows.ts: other is beside tables in the order of bin: . top * sql',
    ],
    [
      'src/bin/sql/rows.ts',
      `import '../tables/rows.ts'`,
      `src/bin/sql/rows.ts:1 imports src/bin/tables/rows.ts: ${above('tables', 'sql')} bin: . top * sql`,
    ],
    [
      'src/query/sql/run.ts',
      `\nimport { a } from '../insights/run.ts'`,
      `src/query/sql/run.ts:2 imports src/query/insights/run.ts: ${above('insights', 'sql')} query: insights . sql`,
    ],
    [
      'src/query/sql/run.ts',
      `import type { A } from '../server.ts'`,
      `src/query/sql/run.ts:1 imports src/query/server.ts: ${above('.', 'sql')} query: insights . sql`,
    ],
    [
      'src/query/server.ts',
      `import './insights/run.ts'`,
      `src/query/server.ts:1 imports src/query/insights/run.ts: ${above('insights', '.')} query: insights . sql`,
    ],
    [
      'src/query/insights/parse.ts',
      `import './trends/run.ts'`,
      `src/query/insights/parse.ts:1 imports src/query/insights/trends/run.ts: ${above('trends', '.')} query/insights: trends .`,
    ],
    [
      'src/query/people/list.ts',
      '',
      'src/query/people/list.ts:1 people is not in the row "query" of the folder table: insights . sql',
    ],
  ])('%s with %j', check)

  test('the console has an order too', async () => {
    const client = [{ path: 'console/src/ui/button.tsx', text: `import '../pages/home.tsx'` }]
    const breaches = await findBreaches({ files: [], around, client, layers, folderOrders, dependencies })
    expect(breaches.map(formatBreach)).toEqual([
      `console/src/ui/button.tsx:1 imports console/src/pages/home.tsx: ${above('pages', 'ui')} console: pages ui`,
    ])
  })
})

describe('packages', () => {
  test.each<Case>([
    [
      'src/store/rows.ts',
      `import { readFileSync } from 'node:fs'\nimport 'kysely'\nimport 'kysely/migration'`,
    ],
    ['src/store/rows.ts', `import '@scope/name'\nimport type { A } from '@scope/name/deep/path'`],
    ['src/kernel/a.test.ts', `import 'vitest'\nimport 'fast-check'\nimport 'pino'\nimport 'vitest/node'`],
    [
      'src/kernel/a.ts',
      `import 'kysely'`,
      'src/kernel/a.ts:1 imports package kysely: layer kernel may use no package',
    ],
    [
      'src/kernel/a.ts',
      `import 'vitest'`,
      'src/kernel/a.ts:1 imports package vitest: layer kernel may use no package',
    ],
    [
      'src/kernel/a.ts',
      `import 'fs'`,
      'src/kernel/a.ts:1 imports package fs: layer kernel may use no package',
    ],
    [
      'src/store/rows.ts',
      `import '@scope/other/name'`,
      'src/store/rows.ts:1 imports package @scope/other: layer store may use kysely, @scope/name',
    ],
    [
      'src/store/rows.ts',
      `await import('kysely-fork')`,
      'src/store/rows.ts:1 imports package kysely-fork: layer store may use kysely, @scope/name',
    ],
    [
      'src/kernel/a.test.ts',
      `import 'left-pad'`,
      'src/kernel/a.test.ts:1 imports package left-pad: layer kernel may use no package',
    ],
  ])('%s with %j', check)
})

describe('reserved words', () => {
  const now = 'src/query/a.ts:1 says Date.now: only src/kernel/clock.ts may'
  const date = 'src/query/a.ts:1 says new Date(): only src/kernel/clock.ts may'
  const env = 'src/query/a.ts:1 says process.env: only src/bin/ may'
  const events =
    'says FROM events: only src/query/sql/events-table.ts and src/store/clickhouse/migrations/ may'
  const tenantTable =
    'says FROM <tenant table>: only src/query/sql/scoped-table.ts and src/store/clickhouse/tenant-tables.ts and src/store/clickhouse/migrations/ and src/store/clickhouse/identity-refresher.ts may'
  const computedTable =
    'says FROM <computed table>: only src/query/sql/scoped-table.ts and src/store/clickhouse/ and src/bin/doctor/ may'

  test.each<Case>([
    ['src/kernel/clock.ts', 'export const now = [Date.now(), new Date()]'],
    ['src/query/a.ts', '// Date.now(), console.log, process.env\nconst text = "Date.now()"\nnew Date(0)'],
    ['src/query/a.ts', 'clock.now(); process.exit(); const { pid } = process'],
    ['src/query/a.test.ts', 'Date.now(); new Date(); process.env.HOME; run("SELECT count() FROM events")'],
    ['src/bin/start.ts', 'parse(process.env)'],
    ['src/query/sql/events-table.ts', 'sql`FROM events FINAL`'],
    ['src/store/clickhouse/migrations/001-events.ts', '`INSERT INTO copy SELECT * FROM events`'],
    ['src/query/a.ts', '// FROM events\nsql`SELECT events FROM events_daily`'],
    ['src/query/a.ts', 'Date.now()', now],
    ['src/query/a.ts', 'const clock = { nowMs: Date.now }', now],
    ['src/query/a.ts', 'globalThis.Date.now()', now],
    ['src/query/a.ts', 'Date["now"]()', now],
    ['src/query/a.ts', 'const { now: clock } = Date', now],
    ['src/query/a.ts', 'new Date()', date],
    ['src/query/a.ts', 'new Date', date],
    ['src/query/a.ts', 'Date()', date],
    ['src/query/a.ts', 'parse(process.env)', env],
    ['src/query/a.ts', 'process["env"]', env],
    ['src/query/a.ts', 'const { env } = process', env],
    ['src/query/a.ts', `import { env as settings } from 'node:process'`, env],
    ['src/query/a.ts', 'console.log(1)', 'src/query/a.ts:1 says console: no file may'],
    ['src/query/a.ts', 'const { log } = console', 'src/query/a.ts:1 says console: no file may'],
    ['src/bin/start.ts', 'console.log(1)', 'src/bin/start.ts:1 says console: no file may'],
    ['src/query/a.test.ts', 'console.log(1)', 'src/query/a.test.ts:1 says console: no file may'],
    ['src/query/a.ts', 'fetch(url)', 'src/query/a.ts:1 says fetch(): only src/bin/ may'],
    ['src/query/a.ts', 'cache.fetch(url); const fetch = 1'],
    ['src/query/a.ts', 'run("SELECT 1 FROM events")', `src/query/a.ts:1 ${events}`],
    ['src/query/a.ts', 'sql`\nSELECT a,\n  b\nFROM\n  events FINAL`', `src/query/a.ts:4 ${events}`],
    ['src/query/a.ts', `\`FROM events WHERE project = $\{id}\``, `src/query/a.ts:1 ${events}`],
    ['src/query/a.ts', `\`$\{columns} from analytics.events WHERE $\{where}\``, `src/query/a.ts:1 ${events}`],
    ['src/query/a.ts', `'LEFT JOIN "events" USING id'`, `src/query/a.ts:1 ${events}`],
    ['src/store/rows.ts', `'SELECT 1\\nFROM\\nevents'`, `src/store/rows.ts:1 ${events}`],
    ['src/query/a.ts', 'sql`SELECT key FROM traits_of_all AS a, (SELECT 1 FROM system.users)`'],
    ['src/query/a.test.ts', 'run("SELECT count() FROM sessions")'],
    ['src/query/a.ts', 'sql`SELECT key FROM traits FINAL`', `src/query/a.ts:1 ${tenantTable}`],
    ['src/query/a.ts', 'sql`SELECT 1\n  left join default.profiles`', `src/query/a.ts:2 ${tenantTable}`],
    ['src/store/rows.ts', '"SELECT id FROM `deliveries`"', `src/store/rows.ts:1 ${tenantTable}`],
    ['src/query/a.ts', `sql\`SELECT key FROM ($\{rows}) ARRAY JOIN $\{keys} AS key\``],
    ['src/query/a.ts', `\`a number from $\{min} to $\{max}\``],
    ['src/query/a.ts', `sql\`SELECT key FROM $\{table}\``, `src/query/a.ts:1 ${computedTable}`],
    ['src/query/a.ts', `sql\`$\{keys} JOIN $\{table} USING id\``, `src/query/a.ts:1 ${computedTable}`],
  ])('%s with %j', check)
})

describe('sizes', () => {
  const lines = (count: number): string => 'f()\n'.repeat(count)
  const body = (lineCount: number): string => `{\n${lines(lineCount - 2)}}`

  test.each<Case>([
    ['src/store/rows.ts', lines(400)],
    ['src/store/rows.ts', `/**\n * Why.\n */\nfunction run() ${body(70)}`],
    ['src/store/rows.test.ts', `test(() => ${body(500)})`],
    ['src/store/rows.txt', lines(401)],
    ['src/store/rows.ts', lines(401), 'src/store/rows.ts:1 has 401 lines: a file may have 400'],
    [
      'src/store/rows.ts',
      `/** Why. */\nfunction run() ${body(71)}`,
      'src/store/rows.ts:2 function run has 71 lines: a function may have 70',
    ],
    [
      'src/store/rows.ts',
      `export const run = async () => ${body(71)}`,
      'src/store/rows.ts:1 function run has 71 lines: a function may have 70',
    ],
    [
      'src/store/rows.ts',
      `class A {\n  #run() ${body(71)}\n}`,
      'src/store/rows.ts:2 function #run has 71 lines: a function may have 70',
    ],
    [
      'src/store/rows.ts',
      `class A {\n  constructor() ${body(71)}\n}`,
      'src/store/rows.ts:2 function constructor has 71 lines: a function may have 70',
    ],
    [
      'src/store/rows.ts',
      `run(() => ${body(71)})`,
      'src/store/rows.ts:1 function (unnamed) has 71 lines: a function may have 70',
    ],
  ])('of %s: case %#', check)
})

describe('exports', () => {
  const unnamed = 'which no other file names: keep it to the file, or remove it'

  test.each<Case>([
    ['src/store/rows.ts', 'export const run = 1'],
    ['src/store/rows.ts', 'export interface Row {}\nexport type Rows = Row[]'],
    ['src/store/rows.ts', 'const row = 1\nfunction read() {}'],
    ['src/store/rows.test.ts', 'export const row = 1'],
    ['src/store/rows.ts', 'export const row = 1', `src/store/rows.ts:1 exports row, ${unnamed}`],
    ['src/store/rows.ts', 'export async function* read() {}', `src/store/rows.ts:1 exports read, ${unnamed}`],
    ['src/store/rows.ts', '\nexport class Reader {}', `src/store/rows.ts:2 exports Reader, ${unnamed}`],
  ])('%s with %j', check)
})

describe('names', () => {
  const kebab = 'is not in kebab-case: use small letters, digits and single hyphens'
  const empty = 'says nothing: name a file or folder after the thing it holds'

  test.each<Case>([
    ['src/store/migrations/001-events.ts', ''],
    ['src/store/key-resolver.test.ts', ''],
    ['src/store/wire-facts.txt', ''],
    ['src/store/service-error.ts', ''],
    ['src/store/common-prefix.ts', ''],
    ['src/store/keyResolver.ts', '', `src/store/keyResolver.ts:1 keyResolver ${kebab}`],
    ['src/store/key_resolver.ts', '', `src/store/key_resolver.ts:1 key_resolver ${kebab}`],
    ['src/store/key.resolver.ts', '', `src/store/key.resolver.ts:1 key.resolver ${kebab}`],
    ['src/store/Catalog/keys.ts', '', `src/store/Catalog/keys.ts:1 Catalog ${kebab}`],
    ['src/store/utils.ts', '', `src/store/utils.ts:1 utils ${empty}`],
    ['src/store/utils.test.ts', '', `src/store/utils.test.ts:1 utils ${empty}`],
    ['src/store/row-helpers.ts', '', `src/store/row-helpers.ts:1 row-helpers ${empty}`],
    ['src/store/lease-manager.ts', '', `src/store/lease-manager.ts:1 lease-manager ${empty}`],
    ['src/store/common/keys.ts', '', `src/store/common/keys.ts:1 common ${empty}`],
    ['src/store/service.ts', '', `src/store/service.ts:1 service ${empty}`],
  ])('%s', check)
})

describe('exceptions', async () => {
  const breaches = await breachesOf('src/query/a.ts', 'Date.now()\nparse(process.env)')
  const clock: Exception = {
    rule: 'reserved',
    path: 'src/query/a.ts',
    subject: 'Date.now',
    reason: 'a sample',
  }

  test('an exception excuses its breach and no other', () => {
    const { counting, unused } = applyExceptions(breaches, [clock])
    expect(counting.map(({ subject }) => subject)).toEqual(['process.env'])
    expect(unused).toEqual([])
  })

  test.each<Partial<Exception>>([{ rule: 'import' }, { path: 'src/query/b.ts' }, { subject: 'console' }])(
    'an exception of another %j excuses nothing and is found',
    (difference) => {
      const other = { ...clock, ...difference }
      expect(applyExceptions(breaches, [other])).toEqual({ counting: breaches, unused: [other] })
    },
  )
})

describe('the layer table', () => {
  const table = (...rows: readonly string[]): string =>
    ['| layer | may import | packages |', '|---|---|---|', ...rows].join('\n')

  test('is read row by row, to its end', () => {
    expect([...layers.values()]).toEqual([
      { name: 'kernel', imports: [], packages: [] },
      { name: 'store', imports: ['kernel'], packages: ['kysely', '@scope/name'] },
      { name: 'query', imports: ['store', 'kernel'], packages: [] },
      { name: 'bin', imports: ['kernel', 'store', 'query'], packages: [] },
    ])
  })

  test.each([
    ['a page without a table', '# Layers', 'no table with the columns layer, may import, packages'],
    ['a layer that does not exist', table('| store | kernal | - |'), 'layer store names kernal'],
    [
      'a layer below',
      table('| a | b | - |', '| b | - | - |'),
      'layer a names b, which is not a layer above it',
    ],
    ['a layer twice', table('| a | - | - |', '| a | - | - |'), 'layer a has two rows'],
  ])('with %s is refused', (_title, markdown, message) => {
    expect(() => parseLayers(markdown)).toThrow(message)
  })
})

describe('the folder table', () => {
  const table = (...rows: readonly string[]): string =>
    ['| layer | order from top to bottom |', '|---|---|', ...rows].join('\n')

  test.each([
    ['a page without a table', '# Folders', 'no table with the columns layer, order from top to bottom'],
    ['a folder twice', table('| a | b c b |'), 'the folders of a name b twice'],
    ['a layer twice', table('| a | b |', '| a | c |'), 'the folders of a have two rows'],
  ])('with %s is refused', (_title, markdown, message) => {
    expect(() => parseFolderOrders(markdown)).toThrow(message)
  })
})
