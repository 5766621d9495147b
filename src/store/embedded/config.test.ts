import { expect, test } from 'vitest'
import { renderServerConfig } from './config.ts'
import { renderUsersConfig } from './users.ts'
import { renderConfig } from './xml.ts'

const GIB = 1024 ** 3

function renderFor(memoryBytes: number, cores: number): string {
  return renderServerConfig({
    usersConfigPath: '/d/users.xml',
    logFolder: '/d/log',
    backupsFolder: '/d/clickhouse/backups',
    readerPassword: 'p',
    memoryBytes,
    cores,
  })
}

test('text is escaped', () => {
  expect(renderConfig({ path: '/a<b>&c' })).toContain('<path>/a&lt;b&gt;&amp;c</path>')
})

test('a list repeats its element', () => {
  expect(renderConfig({ query: ['A', 'B'] })).toBe(
    '<clickhouse>\n  <query>A</query>\n  <query>B</query>\n</clickhouse>\n',
  )
})

test.each([
  [1, 2 * GIB, 2],
  [4, 8 * GIB, 4],
  [64, 256 * GIB, 8],
])('%i cores with %i bytes of memory merge in a pool of %i', (cores, memoryBytes, pool) => {
  expect(renderFor(memoryBytes, cores)).toContain(`<background_pool_size>${pool}</background_pool_size>`)
})

test.each([
  [GIB, 21_474_836],
  [256 * GIB, 268_435_456],
])('%i bytes of memory cap the mark cache at %i', (memoryBytes, cap) => {
  expect(renderFor(memoryBytes, 2)).toContain(`<mark_cache_size>${cap}</mark_cache_size>`)
})

test('the engine counts its own memory, and not that of the other processes of its container', () => {
  expect(renderFor(GIB, 1)).toContain('<memory_worker_use_cgroup>false</memory_worker_use_cgroup>')
})

test('the users configuration holds no password in the clear', () => {
  const text = renderUsersConfig({ admin: 'admin-secret', reader: 'reader-secret' })
  expect(text).not.toContain('-secret')
  expect(text.match(/<password_sha256_hex>[0-9a-f]{64}</g)).toHaveLength(2)
})
