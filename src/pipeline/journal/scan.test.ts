import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeHeader, encodeSeal, HEADER_BYTES, recordMarker } from './record.ts'
import { scanSegment } from './scan.ts'

const ID = 'a0'.repeat(16)
const OTHER_ID = 'b1'.repeat(16)

function record(text: string, id = ID): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(HEADER_BYTES)
  encodeHeader(header, { marker: recordMarker(id), payload, rowCount: text.length })
  return Buffer.concat([header, payload])
}

const SEAL = encodeSeal(recordMarker(ID))

function scan(bytes: Buffer): { texts: string[]; damages: unknown[]; isSealed: boolean; tornRows?: number } {
  const { records, damages, isSealed, torn } = scanSegment(bytes, ID)
  const texts = records.map(({ payloadStart, end }) => bytes.toString('utf8', payloadStart, end))
  return { texts, damages: [...damages], isSealed, ...(torn ? { tornRows: torn.rowCount } : {}) }
}

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}

describe('a scan', () => {
  const first = record('one')
  const second = record('seconds')
  const third = record('last')
  const all = Buffer.concat([first, second, third])

  test.each<[string, Buffer, ReturnType<typeof scan>]>([
    ['of nothing finds nothing', Buffer.alloc(0), { texts: [], damages: [], isSealed: false }],
    ['finds every record', all, { texts: ['one', 'seconds', 'last'], damages: [], isSealed: false }],
    [
      'ends at the seal',
      Buffer.concat([first, SEAL, second]),
      { texts: ['one'], damages: [], isSealed: true },
    ],
    [
      'leaves out the bytes of another segment',
      Buffer.concat([first, record('stale', OTHER_ID)]),
      { texts: ['one'], damages: [], isSealed: false },
    ],
    [
      'cuts off a torn payload',
      all.subarray(0, -1),
      { texts: ['one', 'seconds'], damages: [], isSealed: false, tornRows: 4 },
    ],
    [
      'cuts off a torn header',
      all.subarray(0, first.length + 9),
      { texts: ['one'], damages: [], isSealed: false },
    ],
    [
      'steps over a damaged payload and names its rows',
      flip(all, first.length + HEADER_BYTES),
      {
        texts: ['one', 'last'],
        damages: [{ offset: first.length, end: first.length + second.length, rowCount: 7 }],
        isSealed: false,
      },
    ],
    [
      'steps over a damaged header',
      flip(all, first.length),
      {
        texts: ['one', 'last'],
        damages: [{ offset: first.length, end: first.length + second.length, rowCount: undefined }],
        isSealed: false,
      },
    ],
    [
      'finds a damaged last record by the seal',
      Buffer.concat([flip(first, first.length - 1), SEAL]),
      { texts: [], damages: [{ offset: 0, end: first.length, rowCount: 3 }], isSealed: true },
    ],
  ])('%s', (_, bytes, expected) => {
    expect(scan(bytes)).toEqual(expected)
  })

  test('finds no record that was not written, whichever bit is flipped', () => {
    fc.assert(
      fc.property(fc.nat(all.length - 1), fc.nat(7), (at, bit) => {
        const broken = Buffer.from(all)
        broken.writeUInt8(broken.readUInt8(at) ^ (1 << bit), at)
        const { texts } = scan(broken)
        expect(texts).toHaveLength(2)
        expect(['one', 'seconds', 'last']).toEqual(expect.arrayContaining(texts))
      }),
    )
  })

  test('joins payloads in their order', () => {
    const bytes = Buffer.from(all)
    const payloads = scanSegment(bytes, ID).records.map(({ payloadStart, end }) =>
      bytes.subarray(payloadStart, end),
    )
    expect(Buffer.concat(payloads).toString()).toBe('onesecondslast')
  })
})
