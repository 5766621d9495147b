import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ONE_MACHINE, SCALED_OUT_WHOLE } from '../harness/scaled-out-suite.ts'

const ROOT = resolve(import.meta.dirname, '../..')

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Files that start a service, by themselves or through the harness. */
const starting = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts') && /TestService\.start|startConsoleService\(/.test(read(path)))

test('every file that starts a service runs scaled out as well, or says why not', () => {
  expect(starting.length).toBeGreaterThan(20)
  const decided = [...SCALED_OUT_WHOLE, ...ONE_MACHINE.map(({ file }) => file)]
  const undecided = starting.filter(
    (path) => !decided.some((file) => path === file || path.startsWith(`${file}/`)),
  )
  expect(undecided).toEqual([])
})

test('no file is on both sides, and each is there', () => {
  const whole = ONE_MACHINE.filter(({ title }) => title === undefined).map(({ file }) => file)
  expect(whole.filter((file) => SCALED_OUT_WHOLE.includes(file))).toEqual([])
  expect([...whole, ...SCALED_OUT_WHOLE].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('each test that stays on one machine is in its file', () => {
  const titled = ONE_MACHINE.filter(({ title }) => title !== undefined)
  expect(titled.length).toBeGreaterThan(0)
  expect(titled.filter(({ file, title = '' }) => !read(file).includes(title))).toEqual([])
})
