import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-launch-'))
  mkdirSync(join(root, 'bin'))
  cpSync(join(import.meta.dirname, '../bin/millrace.js'), join(root, 'bin/millrace.js'))
  write('package.json', '{"type":"module"}', 100)
  write('src/bin/millrace.ts', "console.log('sources')", 100)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Writes a file as of a second. */
function write(path: string, text: string, seconds: number): void {
  const folder = join(root, path, '..')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), seconds, seconds)
  utimesSync(folder, 100, 100)
}

async function launch(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'bin/millrace.js')])
  return stdout.trim()
}

test('bundles that are as new as the sources run', async () => {
  write('dist/bin/millrace.js', "console.log('bundles')", 200)
  expect(await launch()).toBe('bundles')
})

test('sources run when one of them is newer than the bundles', async () => {
  write('dist/bin/millrace.js', "console.log('bundles')", 200)
  write('src/query/one.ts', '', 201)
  expect(await launch()).toBe('sources')
})

test('sources run when other versions of packages are newer than the bundles', async () => {
  write('dist/bin/millrace.js', "console.log('bundles')", 200)
  write('package-lock.json', '{}', 201)
  expect(await launch()).toBe('sources')
})

test('sources run without bundles', async () => {
  expect(await launch()).toBe('sources')
})

test('bundles and the processes that they start keep their compiled code beside the bundles, sources do not', async () => {
  expect(await launchAndNameFolder('src/bin/millrace.ts')).toBe('none')
  expect(await launchAndNameFolder('dist/bin/millrace.js')).toBe(join(root, 'dist/.compiled'))
  expect(readdirSync(join(root, 'dist/.compiled'))).toHaveLength(1)
})

/** The folder that the environment of a module, and so of its children, names. */
async function launchAndNameFolder(entry: string): Promise<string> {
  write(entry, "console.log(process.env.NODE_COMPILE_CACHE ?? 'none')", 200)
  return await launch()
}
