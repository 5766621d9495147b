import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** Bytes that look random and are the same in every run. */
function noise(length: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed}/${block}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

/**
 * Bodies that no SDK sends, by what they are. `event` is one valid event with the key of the project, as JSON; every body must be
 * refused in the form of the vendor.
 */
export function unreadableBodies(event: string): readonly (readonly [string, Buffer])[] {
  const base64 = Buffer.from(event).toString('base64')
  return [
    ['random bytes', noise(4096, 'a')],
    ['random bytes after the mark of gzip', Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), noise(512, 'b')])],
    ['a cut gzip', gzipSync(event).subarray(0, 40)],
    ['gzip of nothing', gzipSync('')],
    ['base64 with damage', Buffer.from(base64.replace(/.$/, '\u0000'))],
    ['a form whose field is damaged base64', Buffer.from(`data=${base64.slice(0, 20)}*${base64.slice(20)}`)],
    ['a form of 100,000 fields', Buffer.from(`${'a=1&'.repeat(100_000)}data=*`)],
    ['JSON that ends early', Buffer.from(event.slice(0, -2))],
    ['lists in lists', Buffer.from(`${event.slice(0, -1)},"deep":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
    [
      'objects in objects',
      Buffer.from(`${event.slice(0, -1)},"deep":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
    ],
    ['too many objects', Buffer.from(`${event.slice(0, -1)},"many":[${'{},'.repeat(50_001)}{}]}`)],
    ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ['nothing', Buffer.alloc(0)],
  ]
}
