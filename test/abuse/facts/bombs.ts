import { gzipSync, zstdCompressSync } from 'node:zlib'
import { CODINGS, INLETS, type Inlet, makeBomb, SHAPE_NAMES, type Shape, UNKNOWN_CODING } from '../bodies.ts'
import { type Answered, ask } from '../client.ts'
import { checkRefusal, checkWords } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

/** A refusal that costs nothing takes milliseconds; so long may one take on a machine that is busy. */
const REFUSAL_MS_MAX = 2_000

/** Sends a body to an inlet. */
async function deliver(
  service: ServiceUnderAttack,
  inlet: Inlet,
  { body, coding }: { readonly body: Buffer; readonly coding: string },
): Promise<Answered> {
  const headers = inlet.headers(service)
  return await ask(service.url, {
    path: inlet.path,
    headers: coding === 'identity' ? headers : { ...headers, 'content-encoding': coding },
    body,
    from: service.attacker,
  })
}

/** Limit of a body without a credential, in bytes. */
const SMALL_ROOM = 64 * 1024

const NOT_IMPLEMENTED = 501
const EXHAUSTED = 429

/** An unknown coding is refused as such, unless the compressed bytes alone are more than the caller may send. */
function checkUnknownCoding({ status }: Answered, body: Buffer): void {
  const isLarge = body.length > SMALL_ROOM
  claim(status === NOT_IMPLEMENTED || (isLarge && status === EXHAUSTED), () => `answered with ${status}`)
}

/** JSON-RPC has its errors in answers of status 200, and the inner words of refusals are checked for both. */
function checkAnswer(inlet: Inlet, answered: Answered): void {
  if (inlet.path !== '/mcp') {
    checkRefusal(answered, inlet.refused)
    return
  }
  checkWords(answered)
  claim(answered.status < 500, () => `answered with ${answered.status}`)
  claim(answered.body.includes('"error"') || answered.body.includes('"code"'), () =>
    answered.body.toString().slice(0, 200),
  )
}

/** The shapes that a field may have anywhere: in the body, and as the whole of it. */
function bombsOf(inlet: Inlet, shape: Shape): Statement {
  return {
    title: `${inlet.name}: ${shape} are refused at once, in each coding, as a field and as the body`,
    // Eight MiB each way, ten times.
    isSlow: true,
    check: async (service) => {
      const seen: string[] = []
      for (const coding of CODINGS) {
        for (const field of [inlet.field, undefined]) {
          const at = `${coding} ${field ?? 'body'}`
          try {
            const body = makeBomb(shape, coding, field)
            const answered = await deliver(service, inlet, { body, coding })
            if (coding === UNKNOWN_CODING) checkUnknownCoding(answered, body)
            else if (field === undefined && inlet.skipped?.includes(shape))
              claim(answered.status === 200, () => `answered with ${answered.status}`)
            else if (shape !== 'spaces') checkAnswer(inlet, answered)
            if (answered.ms > REFUSAL_MS_MAX) seen.push(`${at}: took ${Math.round(answered.ms)} ms`)
          } catch (error) {
            seen.push(`${at}: ${error instanceof Error ? error.message : error}`)
          }
        }
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  }
}

const MIB = 1024 * 1024

/** Bodies that are wrong as compressed data; none is ever the text `{}`. */
const ODD_CODED: readonly (readonly [what: string, coding: string, make: () => Buffer])[] = [
  ['gzip that was cut off', 'gzip', () => gzipSync('{"a":1}').subarray(0, 12)],
  ['gzip with a wrong sum', 'gzip', () => Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])],
  [
    'a gzip of names without an end',
    'gzip',
    () => {
      const head = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])
      return Buffer.concat([head, Buffer.alloc(4 * MIB, 'x')])
    },
  ],
  [
    'a hundred thousand empty gzip members',
    'gzip',
    () => Buffer.concat(Array<Buffer>(100_000).fill(gzipSync(''))),
  ],
  ['gzip in gzip in gzip', 'gzip', () => gzipSync(gzipSync(gzipSync(Buffer.alloc(8 * MIB))))],
  [
    'a zstd window of two GiB',
    'zstd',
    () =>
      Buffer.concat([
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8]),
        Buffer.from([0x03, 0, 0]),
        Buffer.alloc(64),
      ]),
  ],
  [
    'zstd that announces an exabyte',
    'zstd',
    () =>
      Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]), Buffer.alloc(8, 0x0f), Buffer.alloc(64)]),
  ],
  [
    'zstd frames that are skipped',
    'zstd',
    () => Buffer.concat(Array<Buffer>(200_000).fill(Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]))),
  ],
  ['zstd with something after it', 'zstd', () => Buffer.concat([zstdCompressSync('{}'), Buffer.from('x')])],
  ['a large window of brotli', 'br', () => Buffer.from([0x11, 0x3e, ...Array<number>(64).fill(0xff)])],
  ['nothing that is brotli', 'br', () => Buffer.alloc(1024, 0xff)],
  ['nothing at all', 'gzip', () => Buffer.alloc(0)],
]

function oddOf([what, coding, make]: (typeof ODD_CODED)[number]): Statement {
  return {
    title: `${what} is refused by every inlet`,
    check: async (service) => {
      const seen: string[] = []
      for (const inlet of INLETS) {
        try {
          checkAnswer(inlet, await deliver(service, inlet, { body: make(), coding }))
        } catch (error) {
          seen.push(`${inlet.name}: ${error instanceof Error ? error.message : error}`)
        }
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  }
}

/** Lists of codings: one is enough. */
const CODING_LISTS = ['gzip, gzip', 'identity, gzip', 'br, gzip', 'x-gzip', 'GZIP2', 'gzip;q=1', '*'] as const

const codingLists: Statement = {
  title: 'a body of more than one coding, or of an unknown one, is refused by every inlet',
  check: async (service) => {
    const seen: string[] = []
    for (const inlet of INLETS) {
      for (const coding of CODING_LISTS) {
        const body = gzipSync(gzipSync('{}'))
        const answered = await deliver(service, inlet, { body, coding })
        if (answered.status < 400 || answered.status >= 600 || answered.status === 500)
          seen.push(`${inlet.name}: ${coding} is answered with ${answered.status}`)
      }
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}

const smallRoom: Statement = {
  title: 'a caller without a credential sends at most 64 KiB, even from three hundred compressed bytes',
  check: async (service) => {
    const text = `{"email":"${'a'.repeat(SMALL_ROOM + 1024)}","password":"x"}`
    const seen: string[] = []
    for (const inlet of INLETS.slice(0, 3)) {
      for (const [coding, body] of [
        ['identity', Buffer.from(text)],
        ['gzip', gzipSync(text)],
        ['zstd', zstdCompressSync(text)],
      ] as const) {
        const answered = await deliver(service, inlet, { body, coding })
        const { code } = JSON.parse(answered.body.toString()) as { readonly code?: string }
        if (code !== 'resource_exhausted')
          seen.push(`${inlet.name}, ${coding}: ${answered.status} ${answered.body.toString().slice(0, 120)}`)
      }
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}

/** Bodies that cost more than they weigh, where a body is taken. */
export const bombs: Chapter = {
  name: 'bombs',
  statements: [
    ...ODD_CODED.map(oddOf),
    codingLists,
    smallRoom,
    ...INLETS.flatMap((inlet) => SHAPE_NAMES.map((shape) => bombsOf(inlet, shape))),
  ],
}
