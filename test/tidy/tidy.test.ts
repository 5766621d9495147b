import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { formatBreach, type Rule } from './breach.ts'
import { folderIn, parseFolderOrders } from './check-folders.ts'
import type { TextFile } from './code-file.ts'
import { applyExceptions, EXCEPTIONS } from './exceptions.ts'
import { findBreaches } from './find-breaches.ts'
import { layerName, parseLayers } from './layers.ts'

const root = resolve(import.meta.dirname, '..', '..')
const GENERATED = 'src/contract/gen/'

const files = listFiles('src').filter(({ path }) => !path.startsWith(GENERATED))
const client = listFiles('console/src').filter(({ path }) => /\.tsx?$/.test(path))
const around = ['test', 'bench', 'scripts', 'sdk']
  .flatMap(listFiles)
  .filter(({ path }) => /\.tsx?$/.test(path))
const architecture = readText('ARCHITECTURE.md')
const layers = parseLayers(architecture)
const folderOrders = parseFolderOrders(architecture)
const dependencies = listDependencies()
const breaches = await findBreaches({ files, client, around, layers, folderOrders, dependencies })
const { counting, unused } = applyExceptions(breaches, EXCEPTIONS)

const PROMISES = {
  import: 'imports follow the layer table',
  folder: 'imports follow the folder table',
  package: 'packages follow the layer table',
  export: 'exported values are imported',
  reserved: 'reserved words stay with their owners',
  size: 'files and functions keep to their ceilings',
  name: 'files and folders are named after the thing they hold',
  shared: 'the console imports contract and domain only, which run in browsers',
  text: 'the texts of the console are messages',
} satisfies Record<Rule, string>

test.each(Object.entries(PROMISES))('%s: %s', (rule) => {
  expect(counting.filter((breach) => breach.rule === rule).map(formatBreach)).toEqual([])
})

test('every exception excuses a breach and has a reason', () => {
  expect(unused).toEqual([])
  expect(EXCEPTIONS.filter(({ reason }) => reason.trim() === '')).toEqual([])
})

test('every layer of the table has files', () => {
  const inUse = new Set(files.map(({ path }) => layerName(path)))
  expect([...layers.keys()].filter((name) => !inUse.has(name))).toEqual([])
})

test('every folder of the folder table has files', () => {
  const empty = folderOrders.flatMap((order) => {
    const inUse = new Set([...files, ...client].map(({ path }) => folderIn(order, path)))
    return order.folders
      .filter((folder) => folder !== '*' && !inUse.has(folder))
      .map((folder) => `${order.name}/${folder}`)
  })
  expect(empty).toEqual([])
})

test('every package of the table is a dependency', () => {
  const named = [...layers.values()].flatMap(({ packages }) => packages)
  expect(named.filter((name) => !dependencies.includes(name))).toEqual([])
})

test('no file has the conflict markers of a merge', () => {
  const search = ['grep', '--untracked', '-IlE', '^(<{7}|>{7}) ']
  const { status, stdout } = spawnSync('git', search, { cwd: root, encoding: 'utf8' })
  // 1 is the status of a search that finds nothing.
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
})

/** Committed files and files about to be: those of the work tree that git does not ignore. */
function listFiles(folder: string): readonly TextFile[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder]
  return execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => ({ path, text: readText(path) }))
}

function listDependencies(): readonly string[] {
  const manifest: { readonly dependencies: Record<string, string> } = JSON.parse(readText('package.json'))
  return Object.keys(manifest.dependencies)
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
