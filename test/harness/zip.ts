import { crc32 } from 'node:zlib'

/** A zip archive of files that are stored as they are. */
export function makeZip(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of Object.entries(files)) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const start = Buffer.alloc(4)
    start.writeUInt32LE(offset)
    const local = [Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), Buffer.from(bytes)]
    const versionMadeBy = Buffer.from([20, 0])
    directory.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      versionMadeBy,
      facts,
      Buffer.alloc(10),
      start,
      Buffer.from(name),
    )
    parts.push(...local)
    offset += local.reduce((sum, part) => sum + part.length, 0)
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end])
}
