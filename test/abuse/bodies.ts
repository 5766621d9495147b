import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { BATCH_CREATE } from '../harness/events.ts'
import { JSON_CALL } from './client.ts'
import type { Target } from './target.ts'

const MIB = 1024 * 1024

/** Under the limit of a body, so that the limit alone does not save anything. */
const BIG = 8 * MIB - 64

/** Texts that cost more than they weigh. Made when they are needed, and kept. */
const SHAPES = {
  'nested arrays': () => '['.repeat(BIG / 2) + ']'.repeat(BIG / 2),
  'arrays that never close': () => '['.repeat(BIG),
  'nested objects': () => `${'{"a":'.repeat(BIG / 7)}0${'}'.repeat(BIG / 7)}`,
  'a wide array': () => `[${'0,'.repeat(BIG / 2 - 1)}0]`,
  'an array of objects': () => `[${'{},'.repeat(BIG / 3 - 1)}{}]`,
  'many names': () =>
    `{${Array.from({ length: BIG / 16 }, (_, index) => `"k${String(index).padStart(8, '0')}":0`).join(',')}}`,
  'one long text': () => `"${'x'.repeat(BIG - 2)}"`,
  'one text of escapes': () => `"${'\\u0041'.repeat(BIG / 6 - 1)}"`,
  'one number': () => '9'.repeat(BIG),
  spaces: () => ' '.repeat(BIG),
} as const

/** Name of a shape. */
export type Shape = keyof typeof SHAPES
export const SHAPE_NAMES = Object.keys(SHAPES) as Shape[]

const made = new Map<string, Buffer>()

/** A place in a message into which a shape is put. */
export type Wrap = (shape: string) => string

/** The coding that the service does not have: Connect answers it with `unimplemented`, before it decompresses anything. */
export const UNKNOWN_CODING = 'deflate'

/** How the bodies of a bomb are compressed; `identity` is the whole text. */
export const CODINGS = ['identity', 'br', 'gzip', 'zstd', UNKNOWN_CODING] as const
export type Coding = (typeof CODINGS)[number]

const COMPRESS: Readonly<Record<Coding, (text: Buffer) => Buffer>> = {
  identity: (text) => text,
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text) => gzipSync(text),
  zstd: (text) => zstdCompressSync(text),
  deflate: (text) => deflateSync(text),
}

/** The bytes of a shape at a place of a message, compressed. */
export function makeBomb(shape: Shape, coding: Coding, field?: string): Buffer {
  const name = `${shape} ${coding} ${field ?? ''}`
  const known = made.get(name)
  if (known) return known
  const text = SHAPES[shape]()
  const bytes = COMPRESS[coding](Buffer.from(field === undefined ? text : `{"${field}":${text}}`))
  made.set(name, bytes)
  return bytes
}

/** Somewhere that takes a body. */
export interface Inlet {
  readonly name: string
  readonly path: string
  /** A field whose value may be anything, as far as the parser is concerned. */
  readonly field: string
  headers(service: Target): Readonly<Record<string, string>>
  /** Statuses of a refusal. */
  readonly refused: readonly number[]
  /** Shapes that are a valid body, whose unknown fields are skipped. */
  readonly skipped?: readonly Shape[]
}

const REFUSED = [400, 413, 415, 429]

/** Everything that takes a body, with the least credential that gets so far. */
export const INLETS: readonly Inlet[] = [
  {
    name: 'a sign-in without a credential',
    path: '/public.auth.v1.AuthService/SignInWithEmail',
    field: 'email',
    headers: () => JSON_CALL,
    refused: REFUSED,
  },
  {
    name: 'a shared dashboard',
    path: '/public.dashboards.v1.SharedDashboardsService/Query',
    field: 'shareId',
    headers: () => JSON_CALL,
    refused: REFUSED,
  },
  {
    name: 'the session of the console',
    path: '/console/session/SignInWithEmail',
    field: 'email',
    headers: ({ url }) => ({ 'content-type': 'application/json', origin: url }),
    refused: REFUSED,
  },
  {
    name: 'events with a public key',
    path: `/${BATCH_CREATE}`,
    field: 'events',
    headers: ({ publicKey }) => ({ ...JSON_CALL, 'x-api-key': publicKey }),
    refused: REFUSED,
    skipped: ['many names'],
  },
  {
    name: 'an identification with a public key',
    path: '/sdk.profiles.v1.ProfilesSDKService/Identify',
    field: 'traits',
    headers: ({ publicKey }) => ({ ...JSON_CALL, 'x-api-key': publicKey }),
    refused: REFUSED,
  },
  {
    name: 'a device with a public key',
    path: '/sdk.devices.v1.DevicesService/Subscribe',
    field: 'properties',
    headers: ({ publicKey }) => ({ ...JSON_CALL, 'x-api-key': publicKey }),
    refused: REFUSED,
  },
  {
    name: 'a query with a private key',
    path: '/shared.insights.v1.InsightsService/Query',
    field: 'spec',
    headers: ({ other }) => ({ ...JSON_CALL, 'x-api-key': other.privateKey }),
    refused: REFUSED,
  },
  {
    name: 'the tools of agents with a private key',
    path: '/mcp',
    field: 'params',
    headers: ({ other }) => ({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': other.privateKey,
    }),
    refused: REFUSED,
  },
]
