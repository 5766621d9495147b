/** RFC 9113 section 3.4. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** Types of frames, RFC 9113 section 6. */
export const FRAME = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const

/** Flags of frames. */
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4 } as const

/** One frame. */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** A frame as bytes. */
export function encodeFrame({ type, flags, stream, payload }: Frame): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** The whole frames at the start of bytes. Throws on a frame longer than any that a server of ours sends. */
export function decodeFrames(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = []
  let rest = bytes
  while (rest.length >= 9) {
    const length = rest.readUIntBE(0, 3)
    if (length > 16_384) throw new Error(`a frame of ${length} bytes`)
    if (rest.length < 9 + length) break
    frames.push({
      type: rest.readUInt8(3),
      flags: rest.readUInt8(4),
      stream: rest.readUInt32BE(5) & 0x7fffffff,
      payload: rest.subarray(9, 9 + length),
    })
    rest = rest.subarray(9 + length)
  }
  return frames
}

/** A block of headers, each a literal without indexing (RFC 7541 section 6.2.2), for values under 127 bytes. */
export function encodeHeaders(fields: Readonly<Record<string, string>>): Buffer {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')])
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  )
}

/** The client's first bytes: the preface and empty settings. */
export const OPENING = Buffer.concat([
  PREFACE,
  encodeFrame({ type: FRAME.settings, flags: 0, stream: 0, payload: Buffer.alloc(0) }),
])
