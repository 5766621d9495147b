import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** A path to a file of this repository in a page, from the root, from `src` or from a folder that the sentence names. */
const NAMED_FILE = /`((?:[\w@.-]+\/)+[\w.-]+\.(?:css|proto|tsx?))`/g

/** A page that a comment or a message names. */
const NAMED_PAGE = /\b(?:docs|bench)\/(?:[\w-]+\/)*[\w-]+\.md\b/g

const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)))

/** The texts that match in files, each with its place. */
function findNamed(files: readonly string[], pattern: RegExp): readonly { place: string; named: string }[] {
  return files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map(([whole, named = whole]) => ({
          place: `${path}:${index + 1}`,
          named,
        })),
      ),
  )
}

test('every file that a page names exists', () => {
  // Pages for clients name files of theirs, and the changelog those of the past.
  const pages = paths.filter((path) => path.endsWith('.md') && !/^(?:docs\/clients\/|CHANGELOG)/.test(path))
  const named = findNamed(pages, NAMED_FILE)
  const ends = new Set(
    paths.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((one) => !ends.has(one.named))).toEqual([])
})

test('every page that code names exists', () => {
  const code = paths.filter(
    (path) =>
      /^(?:src|console|sdk|scripts|bench|proto|deploy)\//.test(path) && !/\.(?:md|test\.ts)$/.test(path),
  )
  const named = findNamed(code, NAMED_PAGE)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((one) => !existsSync(join(ROOT, one.named)))).toEqual([])
})
