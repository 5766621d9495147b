import { readFileSync } from 'node:fs'
import { dropPages, trimHeap } from '../libc.ts'

/** A range of addresses of a process. */
export type Mapping = { readonly address: number; readonly byteCount: number }

/** The first line of a mapping: the range, private without the right to write, offset and device, and the inode of a file. */
const READ_ONLY_FILE = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p [0-9a-f]+ [0-9a-f]+:[0-9a-f]+ [1-9]/

const START_OF_MAPPING = /^(?=[0-9a-f]+-[0-9a-f]+ )/m

/**
 * Finds mappings whose resident pages all equal their files, in the text of /proc/<pid>/smaps: code and constants of the program and
 * its libraries. A page that differs, such as a relocated one, is counted as anonymous or is in the swap.
 */
export function findFileMappings(smaps: string): Mapping[] {
  return smaps.split(START_OF_MAPPING).flatMap((mapping) => {
    const [, from, to] = READ_ONLY_FILE.exec(mapping) ?? []
    if (from === undefined || to === undefined) return []
    if (!/^Anonymous: +0 kB$/m.test(mapping) || !/^Swap: +0 kB$/m.test(mapping)) return []
    const address = Number.parseInt(from, 16)
    return [{ address, byteCount: Number.parseInt(to, 16) - address }]
  })
}

/** Returns the free pages of malloc to the system, and those of the program and its libraries. glibc on Linux only. */
export function returnPages(): void {
  trimHeap()
  dropFilePages()
}

/**
 * The system keeps the pages of files while nothing else needs the room, so that one that is used again costs a page fault and no
 * read.
 */
function dropFilePages(): void {
  for (const { address, byteCount } of findFileMappings(readMappings())) dropPages(address, byteCount)
}

/** Empty where the kernel has no such file, or hides it: then all pages stay. */
function readMappings(): string {
  try {
    return readFileSync('/proc/self/smaps', 'utf8')
  } catch {
    return ''
  }
}
