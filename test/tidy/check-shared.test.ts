import { describe, expect, test } from 'vitest'
import { formatBreach } from './breach.ts'
import { checkShared } from './check-shared.ts'
import { parseCode } from './code-file.ts'

/** Texts of files by their paths. */
type Texts = Readonly<Record<string, string>>

const PAGE = 'console/src/page.tsx'
const TAKES_RULES = `import { rules } from '@service/query/rules.ts'`

async function check(texts: Texts): Promise<readonly string[]> {
  const files = await parseCode(Object.entries(texts).map(([path, text]) => ({ path, text })))
  const client = files.filter(({ path }) => path.startsWith('console/'))
  const service = files.filter(({ path }) => path.startsWith('src/'))
  return checkShared(client, service).map(formatBreach)
}

describe('what browsers can load is shared', () => {
  test.each<[name: string, texts: Texts]>([
    ['messages', { [PAGE]: `import { A } from '@contract/a_pb.js'\nconst a = <p>{A}</p>` }],
    [
      'a module and what it loads in turn',
      {
        [PAGE]: TAKES_RULES,
        'src/query/rules.ts': `import { a } from '../contract/a.ts'\nimport { create } from '@bufbuild/protobuf/wkt'`,
        'src/contract/a.ts': `export { b } from './gen/b_pb.js'`,
      },
    ],
    [
      'a module that speaks of types of others only',
      {
        [PAGE]: TAKES_RULES,
        'src/query/rules.ts': `import type { Db } from '../store/db.ts'\nexport type { Server } from 'node:http'\nlet a: import('kysely').A`,
      },
    ],
    [
      'the type of anything',
      {
        [PAGE]: `import type { Server } from '@service/edge/server.ts'`,
        'src/edge/server.ts': `import 'node:http'`,
      },
    ],
  ])('%s', async (_name, texts) => {
    expect(await check(texts)).toEqual([])
  })
})

describe('what browsers cannot load is not shared', () => {
  const rules = 'src/query/rules.ts'
  test.each<[name: string, texts: Texts, line: string]>([
    [
      'a module of Node.js',
      { [rules]: `import { join } from 'node:path'` },
      `${rules}:1 imports node:path: browsers load this file`,
    ],
    [
      'a package that is not for browsers',
      { [rules]: `\nawait import('pino')` },
      `${rules}:2 imports pino: browsers load this file`,
    ],
    [
      'a layer that does I/O',
      { [rules]: `import '../store/db.ts'` },
      `${rules}:1 imports ../store/db.ts: browsers load this file`,
    ],
    [
      'SQL, however far away',
      {
        [rules]: `import '../query/a.ts'`,
        'src/query/a.ts': `import { type A, sql } from './sql/sql.ts'`,
      },
      'src/query/a.ts:1 imports ./sql/sql.ts: browsers load this file',
    ],
    [
      'a name that is computed',
      { [rules]: 'await import(name)' },
      `${rules}:1 imports a computed name: browsers load this file`,
    ],
  ])('%s', async (_name, texts, line) => {
    expect(await check({ [PAGE]: TAKES_RULES, ...texts })).toEqual([line])
  })

  test('a layer that the client names itself', async () => {
    expect(await check({ [PAGE]: `await import('@service/bin/start.ts')` })).toEqual([
      `${PAGE}:1 imports @service/bin/start.ts: browsers load this file`,
    ])
  })
})

test('a client names the service by its alias', async () => {
  expect(await check({ [PAGE]: `import type { A } from '../../src/contract/a.ts'` })).toEqual([
    `${PAGE}:1 imports ../../src/contract/a.ts: the service has an alias, @service`,
  ])
})
