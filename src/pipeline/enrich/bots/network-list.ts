import { isIPv4, isIPv6 } from 'node:net'
import { err, ok, type Result } from '../../../kernel/result.ts'

/** A set of address ranges in which a look-up costs as many steps as there are different prefix lengths. */
export interface NetworkList {
  /** Whether a canonical address lies in one of the ranges; false for other text. */
  includes(address: string): boolean
}

type Family = 4 | 6

interface Address {
  readonly family: Family
  readonly bits: bigint
}

const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 }

/** Ranges with the same prefix length. */
interface Level {
  /** Bits by which an address is shifted to leave its prefix. */
  readonly shift: bigint
  readonly prefixes: Set<bigint>
}

/** Builds the set from ranges in CIDR notation; a bare address is a range of one. The error is the invalid text. */
export function buildNetworkList(cidrs: readonly string[]): Result<NetworkList, string> {
  const levels: Readonly<Record<Family, Map<number, Level>>> = { 4: new Map(), 6: new Map() }
  for (const cidr of cidrs) {
    const [text = '', length, ...rest] = cidr.split('/')
    const address = readAddress(text)
    if (!address || rest.length > 0) return err(cidr)
    const bits = BITS[address.family]
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (!(prefix <= bits)) return err(cidr)
    const level = levels[address.family].get(prefix) ?? { shift: BigInt(bits - prefix), prefixes: new Set() }
    level.prefixes.add(address.bits >> level.shift)
    levels[address.family].set(prefix, level)
  }
  const found = { 4: [...levels[4].values()], 6: [...levels[6].values()] }
  return ok({
    includes: (text) => {
      const address = readAddress(text)
      if (!address) return false
      return found[address.family].some(({ shift, prefixes }) => prefixes.has(address.bits >> shift))
    },
  })
}

function readAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, bits: BigInt(readV4(text)) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const bits = readV6(text)
  // An IPv4 address in its IPv6 form is that IPv4 address.
  return bits >> 32n === 0xffffn ? { family: 4, bits: bits & 0xffff_ffffn } : { family: 6, bits }
}

function readV4(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

function readV6(text: string): bigint {
  const hex = text.replace(/[^:]+\.[^:]+$/, (tail) => {
    const number = readV4(tail)
    return `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n)
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}
