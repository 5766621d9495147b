import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ALONE, LONGEST, SHARING, SLOW } from '../harness/fast-suite.ts'
import { listScaledOut, ONE_MACHINE, SCALED_OUT_GATE } from '../harness/scaled-out-suite.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** How a test file opens a browser, by itself or through the harness. */
const DRIVES_BROWSER = /launchChromium\(|openBrowser\(|openConsole(?:Page|As)\(/

test('the gate is a subset of the scaled-out tests', () => {
  const all = listScaledOut()
  expect(all.length).toBeGreaterThan(20)
  expect(SCALED_OUT_GATE.filter((file) => !all.includes(file))).toEqual([])
})

test('every file that stays on one machine exists', () => {
  expect(ONE_MACHINE.length).toBeGreaterThan(0)
  expect(ONE_MACHINE.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('each test that stays on one machine is in its file', () => {
  const titled = ONE_MACHINE.filter(({ title }) => title !== undefined)
  expect(titled.length).toBeGreaterThan(0)
  const lost = titled.filter(
    ({ file, title = '' }) => !readFileSync(join(ROOT, file), 'utf8').includes(title),
  )
  expect(lost).toEqual([])
})

test('each group of slow tests has files', () => {
  expect(SLOW.length).toBeGreaterThan(0)
  expect(SLOW.filter(({ files }) => globSync(files, { cwd: ROOT }).length === 0)).toEqual([])
})

test('each group of files that run alone is one of files that would share a process', () => {
  const sharing = new Set(SHARING.flatMap((files) => globSync(files, { cwd: ROOT })))
  expect(ALONE.length).toBeGreaterThan(0)
  const lost = ALONE.filter(({ files }) => !globSync(files, { cwd: ROOT }).some((file) => sharing.has(file)))
  expect(lost).toEqual([])
})

test('each file that drives a browser is slow', () => {
  const driving = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    DRIVES_BROWSER.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  const slow = new Set(SLOW.flatMap(({ files }) => globSync(files, { cwd: ROOT })))
  expect(driving.length).toBeGreaterThan(5)
  expect(driving.filter((file) => !slow.has(file))).toEqual([])
})

test('every file that starts first exists', () => {
  expect(LONGEST.length).toBeGreaterThan(0)
  expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
