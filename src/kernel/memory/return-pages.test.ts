import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { glibcVersion } from '../machine.ts'
import { findFileMappings, returnPages } from './return-pages.ts'

/** A mapping in the form of proc(5), without lines that the search does not read. */
function mapping(first: string, { anonymous = 0, swap = 0 } = {}): string {
  return `${first}\nRss:                  64 kB\nAnonymous:      ${anonymous} kB\nSwap:            ${swap} kB\nVmFlags: rd mr mw me\n`
}

const CODE = '7f00-7f40 r-xp 00001000 fe:00 42   /usr/lib/library.so'
const CONSTANTS = '7e00-7f00 r--p 00000000 fe:00 42   /usr/lib/library.so'

test('code and constants of files are found', () => {
  expect(findFileMappings(mapping(CONSTANTS) + mapping(CODE))).toEqual([
    { address: 0x7e00, byteCount: 0x100 },
    { address: 0x7f00, byteCount: 0x40 },
  ])
})

test.each([
  ['relocated pages', mapping(CONSTANTS, { anonymous: 4 })],
  ['relocated pages in the swap', mapping(CONSTANTS, { swap: 4 })],
  ['variables', mapping('7f40-7f80 rw-p 00005000 fe:00 42   /usr/lib/library.so')],
  ['code that can be written', mapping('7f40-7f80 rwxp 00005000 fe:00 42   /usr/lib/library.so')],
  ['memory shared through a file', mapping('7f40-7f80 r--s 00000000 fe:00 42   /data/state.mdb')],
  ['memory without a file', mapping('7f40-7f80 r--p 00000000 00:00 0')],
  ['pages of the kernel', mapping('7ffd-7ffe r-xp 00000000 00:00 0   [vdso]')],
])('others stay: %s', (_, smaps) => {
  expect(findFileMappings(smaps)).toEqual([])
})

test.runIf(glibcVersion())('they leave the memory of the process, which runs on', () => {
  const before = residentFileKib()
  returnPages()
  expect(residentFileKib()).toBeLessThan(before / 2)
})

function residentFileKib(): number {
  return Number(/^RssFile:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
