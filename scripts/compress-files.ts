import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Smaller than this, compression gains nothing. */
const COMPRESSED_BYTES_MIN = 512

/** Formats that are compressed already. */
const COMPRESSED_FORMAT = /\.(?:png|woff2)$/

/** Writes `.gz` and `.br` beside each file of a built folder that gains by it. */
export function compressFiles(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  for (const file of files) compressFile(join(file.parentPath, file.name))
}

function compressFile(path: string): void {
  const plain = readFileSync(path)
  if (plain.length < COMPRESSED_BYTES_MIN || COMPRESSED_FORMAT.test(path)) return
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }))
}
