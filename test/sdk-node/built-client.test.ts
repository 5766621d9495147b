import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DoubleAnswer,
  type HttpDouble,
  type SeenRequest,
  startHttpDouble,
} from '../harness/http-double.ts'
import { waitFor } from '../harness/wait.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

let folder: string
let double: HttpDouble
let answer: (request: SeenRequest) => DoubleAnswer

/** A project that has installed the package; `npm ci` and `npm run build:sdk` build it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-sdk-'))
  mkdirSync(join(folder, 'node_modules/@millrace'), { recursive: true })
  symlinkSync(join(ROOT, 'sdk/node'), join(folder, 'node_modules/@millrace/node'))
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  answer = ({ body }) => ({ status: 200, body: { accepted: JSON.parse(body).events.length } })
  double = await startHttpDouble((request) => answer(request))
})

afterEach(async () => {
  await double.stop()
})

function write(name: string, lines: readonly string[]): string {
  const file = join(folder, name)
  writeFileSync(file, lines.join('\n'))
  return file
}

/** A program that connects to the double; `flushOn` and other options as text. */
function program(format: 'mjs' | 'cjs', options: string, lines: readonly string[]): string {
  const load =
    format === 'mjs'
      ? "import { createMillrace } from '@millrace/node'"
      : "const { createMillrace } = require('@millrace/node')"
  const connect = `const millrace = createMillrace({ key: 'prv_double', url: '${double.url}', ${options} })`
  return write(`program-${format}.${format}`, [load, connect, ...lines])
}

function sentKinds(): readonly string[] {
  return double.requests.flatMap(({ body }) =>
    JSON.parse(body).events.map(({ kind }: { kind: string }) => kind),
  )
}

const TRACK = "millrace.track({ kind: 'at_the_end', distinctId: 'ann' })"

test.each(['mjs', 'cjs'] as const)('a %s program that ends sends what waits first', async (format) => {
  const { stderr } = await run(process.execPath, [program(format, '', [TRACK])])
  expect({ stderr, kinds: sentKinds() }).toEqual({ stderr: '', kinds: ['at_the_end'] })
})

test('a program that asked for nothing at its end sends nothing there', async () => {
  await run(process.execPath, [program('mjs', 'flushOn: []', [TRACK])])
  expect(sentKinds()).toEqual([])
})

test('a program whose service is away ends when the time is up, with a warning', async () => {
  answer = () => ({ status: 503 })
  const { stderr } = await run(process.execPath, [program('cjs', 'flushTimeoutMs: 300', [TRACK])])
  expect(stderr).toContain('[unsent] MillraceWarning: the process ends: 1 unsent')
})

test('SIGTERM sends what waits, then ends the process as it does without a listener', async () => {
  const lines = [TRACK, 'setInterval(() => {}, 1000)', "console.log('ready')"]
  const child = spawn(process.execPath, [program('mjs', "flushOn: ['SIGTERM']", lines)])
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal, kinds: sentKinds() }).toEqual({
    code: null,
    signal: 'SIGTERM',
    kinds: ['at_the_end'],
  })
})

test('SIGTERM leaves the end of the process to a listener of the program', async () => {
  const sent = 'setInterval(() => millrace.stats().sent === 1 && process.exit(7), 10)'
  const own = `process.on('SIGTERM', () => ${sent})`
  const child = spawn(process.execPath, [
    program('mjs', "flushOn: ['SIGTERM']", [
      TRACK,
      own,
      'setInterval(() => {}, 1000)',
      "console.log('ready')",
    ]),
  ])
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal, kinds: sentKinds() }).toEqual({ code: 7, signal: null, kinds: ['at_the_end'] })
})

test('a handler of errors that throws ends neither a call nor the process', async () => {
  answer = () => ({ status: 500 })
  const options = "flushTimeoutMs: 300, onError() { throw new Error('of the handler') }"
  const lines = [
    TRACK,
    'millrace.track({})',
    'millrace.flush()',
    "await millrace.close(); console.log('closed')",
  ]
  const { stdout, stderr } = await run(process.execPath, [program('mjs', options, lines)])
  expect({ stdout, stderr }).toEqual({ stdout: 'closed\n', stderr: '' })
})

test('waits as long as Retry-After asks, even if it is asked to flush', async () => {
  answer = () => ({ status: 429, headers: { 'retry-after': '600' } })
  const lines = [
    TRACK,
    'for (let n = 0; n < 3; n++) console.log(await millrace.flush(100))',
    'console.log(await millrace.close(100))',
  ]
  const { stdout } = await run(process.execPath, [program('mjs', 'onError() {}', lines)])
  expect(stdout).toBe('false\nfalse\nfalse\nfalse\n')
  expect(double.requests).toHaveLength(1)
})

test('a request ends after its time, and is sent again', async () => {
  answer = () => (double.requests.length > 1 ? { status: 200, body: { accepted: 1 } } : undefined)
  const lines = [TRACK, 'console.log(await millrace.flush())']
  const { stdout } = await run(process.execPath, [
    program('mjs', 'requestTimeoutMs: 200, onError() {}', lines),
  ])
  const [first, second] = double.requests
  expect({ stdout, isSame: first?.body === second?.body }).toEqual({ stdout: 'true\n', isSame: true })
})

test.each([
  ['a page', { status: 200, body: 'hello' }],
  ['another count', { status: 200, body: { accepted: 7 } }],
  ['a redirection', { status: 308, headers: { location: 'http://127.0.0.1:1/' } }],
  ['no Millrace error', { status: 400, body: 'bad' }],
])('an answer with %s is no success, and loses nothing', async (_, first) => {
  answer = ({ body }) =>
    double.requests.length > 1 ? { status: 200, body: { accepted: JSON.parse(body).events.length } } : first
  const lines = [TRACK, 'console.log(await millrace.flush(), millrace.stats().sent)']
  const { stdout } = await run(process.execPath, [program('mjs', 'onError() {}', lines)])
  expect(stdout).toBe('true 1\n')
})

test('halves what the service finds too large', async () => {
  const plain = await startHttpDouble(({ body }) => {
    const { events } = JSON.parse(body)
    return events.length > 2
      ? { status: 413, body: { message: 'too large' } }
      : { status: 200, body: { accepted: events.length } }
  })
  try {
    const options = `compression: 'none', url: '${plain.url}'`
    const lines = [
      "for (let n = 0; n < 5; n++) millrace.track({ kind: 'large', distinctId: 'ann', properties: { n } })",
      'console.log(await millrace.flush(), millrace.stats().sent)',
    ]
    const { stdout } = await run(process.execPath, [program('mjs', options, lines)])
    expect(stdout).toBe('true 5\n')
    expect(plain.requests.map(({ body }) => JSON.parse(body).events.length)).toEqual([5, 2, 3, 1, 2])
  } finally {
    await plain.stop()
  }
})

test.each([
  ['an ES module', 'consumer.mts'],
  ['CommonJS', 'consumer.cts'],
])('TypeScript finds the types from %s', async (_, name) => {
  const file = write(name, [
    "import { createMillrace, MillraceError, type Options } from '@millrace/node'",
    "const options: Options = { key: 'prv_a', url: 'http://a', whenFull: 'drop-oldest' }",
    'const isQueued: boolean = createMillrace(options).track({ kind: "a", distinctId: "b" })',
    'const error: Error = new MillraceError("unsent", "", 1)',
    'export { error, isQueued }',
  ])
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, [...flags, '--exactOptionalPropertyTypes', file], { cwd: folder })
  expect(stdout).toBe('')
})

test.each([
  ['key', "key: 'x'"],
  ['url', "url: 'analytics.example.com'"],
  ['batchEventsMax', 'batchEventsMax: 2000'],
  ['flushIntervalMs', 'flushIntervalMs: Infinity'],
  ['whenFull', "whenFull: 'wait'"],
])('refuses the option %s when it cannot work', async (name, option) => {
  const failed = await run(process.execPath, [program('mjs', option, [])]).catch(({ stderr }) => ({ stderr }))
  expect(failed.stderr).toContain(`TypeError: ${name} must be`)
})

test('a process that has nothing else to do does not wait for events to gather', async () => {
  const child = spawn(process.execPath, [program('mjs', 'flushIntervalMs: 600_000', [TRACK])])
  await waitFor('the process to end', () => (child.exitCode === null ? undefined : true))
  expect(sentKinds()).toEqual(['at_the_end'])
})
