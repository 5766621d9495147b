import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDomainFile, readNetworkFile } from './list-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'lists-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(text: string): string {
  const path = join(folder, 'list')
  writeFileSync(path, text)
  return path
}

test('comments, blank lines and Windows line ends are accepted', () => {
  const networks = readNetworkFile(write('# bots\r\n\r\n192.0.2.0/24 # a crawler\r\n2001:db8::/32\r\n'))
  expect(['192.0.2.9', '2001:db8::9', '192.0.3.9'].map((address) => networks.includes(address))).toEqual([
    true,
    true,
    false,
  ])
})

test('a domain covers its subdomains, in any case and alphabet', () => {
  const isSpammer = readDomainFile(write('Spam.Example\nбот.рф # a spammer\n'))
  const hosts = ['spam.example', 'a.b.spam.example', 'notspam.example', 'example', 'xn--90a0am.xn--p1ai']
  expect(hosts.map(isSpammer)).toEqual([true, true, false, false, true])
})

test('a line that is not an entry is named', () => {
  expect(() => readNetworkFile(write('192.0.2.0/24\n\nexample.com\n'))).toThrow(
    /line 3 of .*list is not an address range in CIDR notation: example\.com/,
  )
  expect(() => readDomainFile(write('example.com\nhttp://example.org/\n'))).toThrow(
    /line 2 of .*list is not a domain: http:/,
  )
})

test('a list has a limit', () => {
  expect(() => readNetworkFile(write('192.0.2.0\n'.repeat(200_001)))).toThrow(/at most 200000 are accepted/)
})

test('a missing file is named', () => {
  expect(() => readNetworkFile(join(folder, 'missing'))).toThrow(/missing/)
})
