const MAGIC = 0xfd2fb528
const BLOCK_HEADER_BYTES = 3
const CHECKSUM_BYTES = 4

/** Bytes of the dictionary id and of the content size, by their two flag bits. RFC 8878 section 3.1.1.1. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const

const RLE_BLOCK = 1

/**
 * True when the bytes are exactly one whole zstd frame. The zlib of Node.js accepts a truncated frame as an empty one, so
 * this finds the end from the block headers, without decoding the blocks.
 */
export function isWholeZstdFrame(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 5 || view.getUint32(0, true) !== MAGIC) return false
  const descriptor = view.getUint8(4)
  const checksumBytes = (descriptor & 0b100) === 0 ? 0 : CHECKSUM_BYTES
  const blocksEnd = findBlocksEnd(view, 5 + countHeaderBytes(descriptor))
  return blocksEnd !== undefined && blocksEnd + checksumBytes === bytes.length
}

function countHeaderBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0b10_0000) !== 0
  const sizeBits = descriptor >> 6
  const windowBytes = isSingleSegment ? 0 : 1
  const sizeBytes = sizeBits === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeBits] ?? 0)
  return windowBytes + (DICTIONARY_ID_BYTES[descriptor & 0b11] ?? 0) + sizeBytes
}

function findBlocksEnd(view: DataView, start: number): number | undefined {
  let offset = start
  while (offset + BLOCK_HEADER_BYTES <= view.byteLength) {
    const header = view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)
    const size = ((header >> 1) & 0b11) === RLE_BLOCK ? 1 : header >> 3
    offset += BLOCK_HEADER_BYTES + size
    if ((header & 1) === 1) return offset
  }
  return undefined
}
