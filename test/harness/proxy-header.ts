import { isIPv4, isIPv6 } from 'node:net'
import { PROXY_SIGNATURE } from '../../src/edge/front/first-bytes.ts'

const COMMAND_LOCAL = 0x20
const COMMAND_PROXY = 0x21
const TCP_OVER_IPV4 = 0x11
const TCP_OVER_IPV6 = 0x21

/** The header of the PROXY protocol, version 2, with which a proxy names its client; without an address, itself. */
export function writeProxyHeader(address: string | undefined): Buffer {
  const text = address?.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
  if (text !== undefined && isIPv4(text)) return header(COMMAND_PROXY, TCP_OVER_IPV4, ipv4Block(text))
  if (text !== undefined && isIPv6(text)) return header(COMMAND_PROXY, TCP_OVER_IPV6, ipv6Block(text))
  return header(COMMAND_LOCAL, 0, Buffer.alloc(0))
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
