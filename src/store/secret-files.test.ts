import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecretKey, SecretFileError } from './secret-files.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'))
})

afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

test('a key is created once and is readable by its owner only', () => {
  const key = loadSecretKey(dataDir, undefined)
  expect(key).toHaveLength(32)
  expect(loadSecretKey(dataDir, undefined)).toEqual(key)
  expect(readdirSync(dataDir)).toEqual(['secret-key'])
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
})

test('the setting takes precedence, and no file is created', () => {
  const setting = Buffer.alloc(32, 1)
  expect(loadSecretKey(dataDir, setting)).toBe(setting)
  expect(readdirSync(dataDir)).toEqual([])
})

test('a file with other content is rejected', () => {
  writeFileSync(join(dataDir, 'secret-key'), 'short\n')
  expect(() => loadSecretKey(dataDir, undefined)).toThrow(SecretFileError)
})
