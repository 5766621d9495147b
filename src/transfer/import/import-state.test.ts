import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ImportState, importState } from './import-state.ts'

const STATE: ImportState = {
  read: 9,
  accepted: 5,
  identifyOnly: 2,
  identified: 3,
  propertiesDropped: 4,
  rejected: { 'must be a UUID': 2 },
  source: { bytes: 100, modifiedMs: 7 },
  rejectedBytes: 50,
}

let path: string

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'millrace-import-')), 'events.jsonl')
})

afterEach(() => rmSync(join(path, '..'), { recursive: true }))

test('the state of an import round-trips, and is gone when removed', () => {
  expect(importState.read(path)).toBeUndefined()
  importState.write(path, STATE)
  expect(importState.read(path)).toEqual(STATE)
  importState.remove(path)
  expect(existsSync(importState.path(path))).toBe(false)
})

test('the file keeps the names of its version', () => {
  importState.write(path, STATE)
  expect(JSON.parse(readFileSync(importState.path(path), 'utf8'))).toMatchObject({
    version: 1,
    taken: 5,
    aboutPeople: 2,
    leftOut: 4,
  })
})

test('the state of another release is an error', () => {
  writeFileSync(importState.path(path), '{"version":2}')
  expect(() => importState.read(path)).toThrow('was written by another release')
})
