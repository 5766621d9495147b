import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMillrace } from './harness/service.ts'

test.each([['--help'], ['-h'], ['help']])('%s lists all commands', async (word) => {
  const { code, stdout, stderr } = await runMillrace([word], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('millrace start')
})

test('--help of a command prints its usage, and does not run it', async () => {
  const { code, stdout } = await runMillrace(['restore', '/nowhere', '--help'], {})
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'usage: millrace restore <folder of a backup>\nrestore a backup to an empty data folder\n',
  })
})

test.each([
  ['strat', 'millrace: strat is not a command; did you mean start? millrace help lists them\n'],
  ['stop', 'millrace: stop is not a command; millrace help lists them\n'],
])('the unknown command %s is one line', async (word, stderr) => {
  expect(await runMillrace([word], {})).toEqual({ code: 1, stdout: '', stderr })
})

test.each([
  [['keys', 'list'], /this user cannot write to .*data \(ENOTDIR/],
  [['migrate'], /this user cannot write to .*data \(ENOTDIR/],
  [['backup', '/nowhere'], /this user cannot write to .*data \(ENOTDIR/],
  [['quarantine', 'list'], /this user cannot read .*quarantine \(ENOTDIR/],
])('%j in a folder that this user cannot open is one line', async (words, error) => {
  const { code, stdout, stderr } = await runMillrace(words, {
    SERVICE_DATA_DIR: join(import.meta.filename, 'data'),
  })
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 })
  expect(stderr).toMatch(error)
})

test.each([
  { words: ['migrate', 'now'] },
  { words: ['doctor', '1'] },
  { words: ['keys', 'revoke', '1', '2'] },
  { words: ['quarantine', 'list', 'all'] },
  { words: ['projects', 'list', '1'] },
  { words: ['projects', 'create', 'Shop', 'two'] },
  { words: ['explain', 'a.json', '1', '2'] },
])('a word too many is an error: $words', async ({ words }) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-words-'))
  const { code, stdout, stderr } = await runMillrace(words, { SERVICE_DATA_DIR: folder })
  rmSync(folder, { recursive: true })
  const error = `millrace: unexpected argument ${words.at(-1)}; see --help\n`
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: error })
})
