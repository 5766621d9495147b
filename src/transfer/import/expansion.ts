import { UnreadableSource } from './unreadable-source.ts'

/** Exports of analytical products become 10 to 60 times as large; a file that was made to fill disks and time, up to 1,032 times. */
const RATIO_MAX = 500

/** Until then nothing is lost: tests and tiny files may consist of one repeated record. */
const BYTES_MIN = 64 * 1024 * 1024

/** Throws {@link UnreadableSource} for data that becomes larger when it is decompressed than any export does. */
export function requireRatio({
  packedBytes,
  unpackedBytes,
}: {
  readonly packedBytes: number
  readonly unpackedBytes: number
}): void {
  if (unpackedBytes <= BYTES_MIN || unpackedBytes <= packedBytes * RATIO_MAX) return
  throw new UnreadableSource(
    `the file becomes more than ${RATIO_MAX} times as large when it is decompressed, which no export does; if it is one, decompress it and import the result`,
  )
}
