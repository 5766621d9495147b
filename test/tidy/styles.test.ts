import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const CONSOLE = resolve(import.meta.dirname, '..', '..', 'console', 'src')

/** The names that a pattern finds in files of the console. */
function findNames(files: RegExp, pattern: RegExp): readonly string[] {
  return readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((path) => files.test(path))
    .map((path) => readFileSync(join(CONSOLE, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))
}

test('every token that a style of the console names is declared: browsers ignore the declaration of another', () => {
  const used = findNames(/\.css$/, /var\((--[\w-]+)\)/g)
  const declared = new Set([
    ...findNames(/\.css$/, /(--[\w-]+)\s*:/g),
    // What depends on data is set by scripts.
    ...findNames(/\.tsx?$/, /'(--[\w-]+)'/g),
  ])
  expect(used.length).toBeGreaterThan(1000)
  expect(used.filter((name) => !declared.has(name))).toEqual([])
})
