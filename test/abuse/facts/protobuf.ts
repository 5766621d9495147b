import { brotliCompressSync, gzipSync } from 'node:zlib'
import { BATCH_CREATE } from '../../harness/events.ts'
import { type Answered, ask } from '../client.ts'
import { checkRefusal, checkWords } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const DEVICES = 'sdk.devices.v1.DevicesService/Subscribe'
const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'
const QUERY = 'shared.insights.v1.InsightsService/Query'
const LIST = 'shared.profiles.v1.ProfilesService/List'

const METHODS = [BATCH_CREATE, IDENTIFY, DEVICES, SIGN_IN, QUERY] as const

/** A field of wire type 2. */
function lengthDelimited(field: number, payload: Buffer): Buffer {
  return Buffer.concat([encodeVarint((field << 3) | 2), encodeVarint(payload.length), payload])
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}

/** A message in a message, so deep that a recursive reader runs out of stack. Built from the inside, in one buffer. */
function nest(fields: readonly number[], depth: number): Buffer {
  const parts: Buffer[] = []
  let length = 0
  for (let level = 0; level < depth; level++) {
    const field = fields[level % fields.length] ?? 1
    const head = Buffer.concat([encodeVarint((field << 3) | 2), encodeVarint(length)])
    parts.push(head)
    length += head.length
  }
  return Buffer.concat(parts.reverse())
}

const BODIES: readonly (readonly [what: string, make: () => Buffer])[] = [
  ['field 1 nested 100,000 deep', () => nest([1], 100_000)],
  ['a struct of structs, 50,000 deep', () => lengthDelimited(2, nest([2, 5, 1, 2], 50_000))],
  [
    'lists of lists of values, 100,000 deep',
    () => lengthDelimited(2, lengthDelimited(1, nest([1, 6], 100_000))),
  ],
  ['the properties of a device, 100,000 deep', () => lengthDelimited(6, nest([5, 2, 1], 100_000))],
  ['a million groups that never end', () => Buffer.alloc(1_000_000, (15 << 3) | 3)],
  ['a number without an end', () => Buffer.alloc(100_000, 0xff)],
  [
    'a length of two exabytes',
    () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
  ],
  ['a length beyond the end', () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x0f, 1])],
  ['the field 0', () => Buffer.from([0x00, 0x01])],
  ['the wire type 7', () => Buffer.from([0x0f, 0x01])],
  ['an end of a group that never began', () => Buffer.from([0x0c])],
  ['text that is no UTF-8', () => lengthDelimited(1, Buffer.from([0xc3, 0x28, 0xff, 0xfe]))],
]

function frame(payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

function credentials(service: ServiceUnderAttack, method: string): Record<string, string> {
  if (method.startsWith('sdk.')) return { 'x-api-key': service.publicKey }
  return method.startsWith('shared.') ? { 'x-api-key': service.privateKey } : {}
}

async function post(
  service: ServiceUnderAttack,
  method: string,
  {
    type,
    body,
    more = {},
  }: { readonly type: string; readonly body: Buffer; readonly more?: Record<string, string> },
): Promise<Answered> {
  return await ask(service.url, {
    path: `/${method}`,
    headers: { 'content-type': type, ...credentials(service, method), ...more },
    body,
    from: service.attacker,
  })
}

/** A method may skip unknown fields of any depth, and refuses known fields that are too deep. */
const isMaybeUnknown = (what: string): boolean => what.includes('deep')

function malformed([what, make]: (typeof BODIES)[number]): Statement {
  return {
    title: `${what} is refused as an error or ignored by every method, in Connect and gRPC-Web`,
    check: async (service) => {
      const seen: string[] = []
      for (const method of METHODS) {
        const body = make()
        const plain = await post(service, method, { type: 'application/proto', body })
        try {
          if (plain.status !== 200 || !isMaybeUnknown(what)) checkRefusal(plain, [400, 401, 429])
        } catch (error) {
          seen.push(`${method}: ${error instanceof Error ? error.message : error}`)
        }
        const web = await post(service, method, { type: 'application/grpc-web+proto', body: frame(body) })
        checkWords(web)
        const status = Number(
          web.headers['grpc-status'] ?? /grpc-status: ?(\d+)/.exec(web.body.toString())?.[1],
        )
        if (![3, 8, 16, ...(isMaybeUnknown(what) ? [0] : [])].includes(status))
          seen.push(`${method}: grpc-status ${status}`)
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  }
}

/** Ends of streams in Connect have status 200 and an error in their last frame. */
const ENVELOPES: readonly (readonly [what: string, make: () => Buffer, more?: Record<string, string>])[] = [
  ['a length of four GiB', () => Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0x7b])],
  ['a frame that is cut off', () => Buffer.from([0, 0, 0, 0, 9, 0x7b])],
  ['half a prefix', () => Buffer.from([0, 0, 0])],
  ['unknown flags', () => frame(Buffer.from('{}'), 0x7c)],
  ['a compressed frame without a coding', () => frame(gzipSync('{}'), 1)],
  ['two frames', () => Buffer.concat([frame(Buffer.from('{}')), frame(Buffer.from('{}'))])],
  ['nothing at all', () => Buffer.alloc(0)],
  [
    'a frame that unpacks to 8 MiB of brackets',
    () => frame(brotliCompressSync(Buffer.alloc(8 * 1024 * 1024, '[')), 1),
    { 'connect-content-encoding': 'br' },
  ],
  [
    'a frame that unpacks to 64 MiB',
    () => frame(gzipSync(Buffer.alloc(64 * 1024 * 1024)), 1),
    { 'connect-content-encoding': 'gzip' },
  ],
]

function envelope([what, make, more]: (typeof ENVELOPES)[number]): Statement {
  return {
    title: `${what} in a Connect stream is an error of the protocol`,
    check: async (service) => {
      const answered = await post(service, LIST, {
        type: 'application/connect+json',
        body: make(),
        ...(more ? { more } : {}),
      })
      checkWords(answered)
      const text = answered.body.toString('latin1')
      const [, code] = /"code":"([a-z_]+)"/.exec(text) ?? []
      claim(
        code !== undefined && !['internal', 'unknown'].includes(code),
        () => `${answered.status} ${JSON.stringify(text.slice(0, 200))}`,
      )
    },
  }
}

/** Bytes that are no message of protobuf, or one that is made to hurt. */
export const protobuf: Chapter = {
  name: 'protobuf',
  statements: [...BODIES.map(malformed), ...ENVELOPES.map(envelope)],
}
