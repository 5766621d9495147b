/** Protocol that the first bytes of a connection announce; `undefined` while more bytes are needed. */
export type Announced = 'http1' | 'http2' | 'proxy' | undefined

/** RFC 9113 section 3.4: every HTTP/2 connection begins with these bytes. */
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** The PROXY protocol, version 2, section 2.2. */
export const PROXY_SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

/** Detects the protocol of a connection from its first bytes; anything unrecognised is left to HTTP/1.1. */
export function readFirstBytes(bytes: Buffer): Announced {
  if (startsAlike(bytes, HTTP2_PREFACE)) return bytes.length < HTTP2_PREFACE.length ? undefined : 'http2'
  if (startsAlike(bytes, PROXY_SIGNATURE)) return bytes.length < PROXY_SIGNATURE.length ? undefined : 'proxy'
  return 'http1'
}

/** True when one of the two is a prefix of the other. */
function startsAlike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length)
  return bytes.compare(signature, 0, length, 0, length) === 0
}

/** A header of the PROXY protocol, version 2, at the start of a connection. */
export interface ProxyHeader {
  /** Bytes that it takes, signature included. */
  readonly length: number
  /** Address of the client; `undefined` when the proxy speaks for itself (a health check). */
  readonly address: string | undefined
}

/** The outcome of reading a header. */
export type ProxyHeaderOutcome = ProxyHeader | 'incomplete' | 'malformed'

const FIXED_BYTES = 16
const COMMAND_LOCAL = 0x20
const COMMAND_PROXY = 0x21
const TCP_OVER_IPV4 = 0x11
const TCP_OVER_IPV6 = 0x21

/** Source and destination address, then both ports. */
const IPV4_BLOCK_BYTES = 12
const IPV6_BLOCK_BYTES = 36

/** Maximum bytes after the addresses; proxies add little. */
const VARIABLE_BYTES_MAX = 1024

/** Reads the header at the start of `bytes` (the signature was seen). Source: haproxy.org, PROXY protocol, section 2.2. */
export function readProxyHeader(bytes: Buffer): ProxyHeaderOutcome {
  if (bytes.length < FIXED_BYTES) return 'incomplete'
  const command = bytes.readUInt8(12)
  const family = bytes.readUInt8(13)
  const variableBytes = bytes.readUInt16BE(14)
  if ((command !== COMMAND_LOCAL && command !== COMMAND_PROXY) || variableBytes > VARIABLE_BYTES_MAX)
    return 'malformed'
  const length = FIXED_BYTES + variableBytes
  if (bytes.length < length) return 'incomplete'
  if (command === COMMAND_LOCAL) return { length, address: undefined }
  if (family === TCP_OVER_IPV4 && variableBytes >= IPV4_BLOCK_BYTES)
    return { length, address: readIPv4(bytes) }
  if (family === TCP_OVER_IPV6 && variableBytes >= IPV6_BLOCK_BYTES)
    return { length, address: readIPv6(bytes) }
  return 'malformed'
}

/** Writes a header with a handle as its IPv6 source address; see `ClientHandles`. */
export function writeHandle(handle: Buffer): Buffer {
  const fixed = Buffer.from([COMMAND_PROXY, TCP_OVER_IPV6, 0, IPV6_BLOCK_BYTES])
  return Buffer.concat([PROXY_SIGNATURE, fixed, handle], FIXED_BYTES + IPV6_BLOCK_BYTES)
}

function readIPv4(bytes: Buffer): string {
  return bytes.subarray(FIXED_BYTES, FIXED_BYTES + 4).join('.')
}

function readIPv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    bytes.readUInt16BE(FIXED_BYTES + index * 2).toString(16),
  )
  return groups.join(':')
}
