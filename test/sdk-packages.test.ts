import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** What each entry of the packages exports. */
const ENTRIES = {
  '@millrace/browser': [
    'flush',
    'identify',
    'init',
    'millrace',
    'page',
    'push',
    'reset',
    'setConsent',
    'track',
  ],
  '@millrace/browser/modules': [
    'errors',
    'fileDownloads',
    'formSubmits',
    'outboundLinks',
    'scrollDepth',
    'webVitals',
  ],
  '@millrace/node': ['MillraceError', 'createMillrace'],
  '@millrace/react': ['MillraceProvider', 'useMillrace', 'usePageView'],
}

/** A program with types of every package. */
const PROGRAM = `
import { init, type Properties, track } from '@millrace/browser'
import { errors } from '@millrace/browser/modules'
import { createMillrace, type MillraceError } from '@millrace/node'
import { useMillrace } from '@millrace/react'

const properties: Properties = { plan: 'pro' }
init({ key: 'pub_a', url: 'https://a.test' })
track('signup', properties)
errors({ track })
createMillrace({ key: 'prv_a', url: 'https://a.test', onError: ({ reason }: MillraceError) => reason })
useMillrace().track('signup', properties)
// @ts-expect-error: types are more than names
track(7)
`

let folder: string

/** A project that has installed the packages; `npm ci` and `npm run build:sdk` build them. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-packages-'))
  mkdirSync(join(folder, 'node_modules/@millrace'), { recursive: true })
  for (const name of ['browser', 'node', 'react'])
    symlinkSync(join(ROOT, 'sdk', name), join(folder, 'node_modules/@millrace', name))
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test.each([
  ['cjs', (name: string) => `require('${name}')`],
  ['mjs', (name: string) => `await import('${name}')`],
] as const)('a %s program loads every package, on a server too', async (format, load) => {
  const names = Object.keys(ENTRIES)
  const list = names.map((name) => `['${name}', Object.keys(${load(name)}).sort()]`)
  const file = write(`load.${format}`, `console.log(JSON.stringify(Object.fromEntries([${list}])))`)
  const { stdout } = await run(process.execPath, [file])
  expect(JSON.parse(stdout)).toEqual(ENTRIES)
})

test.each(['program.cts', 'program.mts'])('%s has the types of every package', async (name) => {
  const file = write(name, PROGRAM)
  const options = ['--noEmit', '--strict', '--module', 'node16', '--lib', 'es2022,dom', '--types', 'node']
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, file], { cwd: folder }).catch(
    ({ stdout }: { readonly stdout: string }) => expect.fail(stdout),
  )
})
