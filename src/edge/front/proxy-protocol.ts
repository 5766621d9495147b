import { isIPv4, isIPv6 } from 'node:net'
import { PROXY_SIGNATURE } from './first-bytes.ts'

/** A header of the PROXY protocol, version 2, at the start of a connection. */
export interface ProxyHeader {
  /** Bytes that it takes, signature included. */
  readonly length: number
  /** Address of the client; `undefined` when the proxy speaks for itself (a health check). */
  readonly address: string | undefined
}

/** What reading a header came to. */
export type ProxyHeaderOutcome = ProxyHeader | 'incomplete' | 'malformed'

const FIXED_BYTES = 16
const COMMAND_LOCAL = 0x20
const COMMAND_PROXY = 0x21
const TCP_OVER_IPV4 = 0x11
const TCP_OVER_IPV6 = 0x21

/** Addresses are at most 36 bytes; what proxies add after them is small. */
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
  if (family === TCP_OVER_IPV4 && variableBytes >= 12) return { length, address: readIPv4(bytes) }
  if (family === TCP_OVER_IPV6 && variableBytes >= 36) return { length, address: readIPv6(bytes) }
  return 'malformed'
}

/** Writes the header that tells another listener of ours where a connection came from. */
export function writeProxyHeader(address: string | undefined): Buffer {
  const text = address?.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
  if (text !== undefined && isIPv4(text)) return header(COMMAND_PROXY, TCP_OVER_IPV4, ipv4Block(text))
  if (text !== undefined && isIPv6(text)) return header(COMMAND_PROXY, TCP_OVER_IPV6, ipv6Block(text))
  return header(COMMAND_LOCAL, 0, Buffer.alloc(0))
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

function header(command: number, family: number, block: Buffer): Buffer {
  const fixed = Buffer.alloc(4)
  fixed.writeUInt8(command, 0)
  fixed.writeUInt8(family, 1)
  fixed.writeUInt16BE(block.length, 2)
  return Buffer.concat([PROXY_SIGNATURE, fixed, block])
}

/** Source and destination address, then both ports; only the source is of use to the listener. */
function ipv4Block(text: string): Buffer {
  return Buffer.concat([Buffer.from(text.split('.').map(Number)), Buffer.alloc(8)])
}

function ipv6Block(text: string): Buffer {
  const block = Buffer.alloc(36)
  expandIPv6(text).forEach((group, index) => {
    block.writeUInt16BE(group, index * 2)
  })
  return block
}

function expandIPv6(text: string): number[] {
  const [address = ''] = text.split('%')
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':').flatMap(parseGroup)
  const right = tail === undefined || tail === '' ? [] : tail.split(':').flatMap(parseGroup)
  return tail === undefined ? left : [...left, ...new Array(8 - left.length - right.length).fill(0), ...right]
}

/** One group of an address; an embedded IPv4 address is two. */
function parseGroup(group: string): number[] {
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
