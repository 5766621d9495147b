import * as zlib from 'node:zlib'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Compression } from '@connectrpc/connect/protocol'
import { CODINGS, type Compressing } from '../coding.ts'
import { BROTLI_PARAMS, decompress } from '../compression.ts'

type Done = (error: Error | null, result: Buffer) => void

// In Node's thread pool: compressing a large answer here would delay other calls of this thread.
const COMPRESS = {
  gzip: (bytes, done) => zlib.gzip(bytes, done),
  br: (bytes, done) => zlib.brotliCompress(bytes, { params: BROTLI_PARAMS }, done),
  zstd: (bytes, done) => zlib.zstdCompress(bytes, done),
} satisfies Record<Compressing, (bytes: Uint8Array, done: Done) => void>

/** The codings of this service, for `acceptCompression` of connect-es. */
export const CONNECT_COMPRESSIONS: readonly Compression[] = CODINGS.map((coding) => ({
  name: coding,
  compress: (bytes) =>
    new Promise((resolve, reject) => {
      COMPRESS[coding](bytes, (error, result) => (error ? reject(error) : resolve(new Uint8Array(result))))
    }),
  decompress: async (bytes, bytesMax) => {
    const result = decompress(bytes, coding, { bytesMax })
    if (result.ok) return new Uint8Array(result.value)
    const isTooLarge = result.error.code === 'resource_exhausted'
    throw new ConnectError(result.error.message, isTooLarge ? Code.ResourceExhausted : Code.InvalidArgument)
  },
}))
