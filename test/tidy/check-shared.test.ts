import { expect, test } from 'vitest'
import { formatBreach } from './breach.ts'
import { checkShared } from './check-shared.ts'
import { parseCode } from './code-file.ts'

const PAGE = 'console/src/page.tsx'

async function check(path: string, text: string): Promise<readonly string[]> {
  const files = await parseCode([{ path, text }])
  const [client, service] = path.startsWith('console/') ? [files, []] : [[], files]
  return checkShared(client, service).map(formatBreach)
}

test.each([
  [
    PAGE,
    `import { A } from '@contract/a_pb.js'\nimport { rules } from '@domain/rules.ts'\nconst a = <p>{A}</p>`,
  ],
  [PAGE, `import { a } from '../a.ts'\nconst b = await import('./b.ts')`],
  ['src/domain/a.ts', `import { b } from '../contract/b.ts'\nimport type { URL } from 'node:url'`],
  ['src/contract/a.test.ts', `import { readFileSync } from 'node:fs'`],
  ['src/store/a.ts', `import { readFileSync } from 'node:fs'`],
])('%s may hold %j', async (path, text) => {
  expect(await check(path, text)).toEqual([])
})

test.each([
  ['src/domain/a.ts', `import { join } from 'node:path'`, 'imports node:path: browsers load this file'],
  ['src/contract/a.ts', `\nawait import('node:fs')`, 'imports node:fs: browsers load this file'],
  [
    PAGE,
    `import type { A } from '../../src/contract/a.ts'`,
    'imports ../../src/contract/a.ts: the console may import @contract and @domain',
  ],
  [PAGE, 'await import(name)', 'imports a computed name: name it, so that the build finds it'],
])('%s may not hold %j', async (path, text, message) => {
  const line = text.startsWith('\n') ? 2 : 1
  expect(await check(path, text)).toEqual([`${path}:${line} ${message}`])
})
