import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { STARTS_SERVICE } from '../harness/scaled-out-suite.ts'
import { MUTATIONS } from '../mutations/mutations.ts'
import { findPath, plant } from '../mutations/plant.ts'
import { listWorkTree, readSources } from '../mutations/working-copy.ts'

const paths = listWorkTree()
const sources = readSources()

test.each(MUTATIONS)('there is code to mutate, so that $breaks', (mutation) => {
  const { path, text } = plant(sources, mutation)
  expect(sources).not.toContainEqual({ path, text })
  expect(mutation.tests.map((end) => findPath(paths, end))).not.toEqual([])
})

// Services run compiled, once per run of Vitest: a later mutation would not be in them.
test('no mutation relies on a test that starts a service', () => {
  const files = MUTATIONS.flatMap(({ tests }) => tests.map((end) => findPath(paths, end)))
  expect(files.filter((path) => STARTS_SERVICE.test(readFileSync(path, 'utf8')))).toEqual([])
})

test('a mutation changes the one file with its code', () => {
  const mutation = { breaks: '', search: 'b', replace: 'c', tests: [] }
  const files = [
    { path: 'src/x.ts', text: 'a' },
    { path: 'src/y.ts', text: 'a b' },
  ]
  expect(plant(files, mutation)).toEqual({ path: 'src/y.ts', text: 'a c' })
})

test.each([
  ['code that is gone', ['a', 'c'], 'there are 0 of code "b"'],
  ['code that a file has twice', ['b b', 'c'], 'there are 2 of code "b"'],
  ['code that two files have', ['b', 'a b'], 'there are 2 of code "b"'],
])('%s is an error', (_title, texts, message) => {
  const files = texts.map((text, index) => ({ path: `src/${index}.ts`, text }))
  expect(() => plant(files, { breaks: '', search: 'b', replace: 'c', tests: [] })).toThrow(message)
})

test.each([
  ['a file that is gone', 'd.ts', 'there are 0 of file d.ts'],
  ['a name that several files have', 'a.ts', 'there are 2 of file a.ts'],
])('%s is an error', (_title, end, message) => {
  expect(() => findPath(['src/a.ts', 'src/b/a.ts', 'src/c.ts'], end)).toThrow(message)
})
