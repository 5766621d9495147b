import { Outbound } from '../../src/kernel/outbound/outbound.ts'
import { addressRanges } from '../../src/settings/setting-parsers.ts'

/** The setting under which connections reach the servers of the tests, which listen on this machine. */
export const ALLOW_LOOPBACK = { SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8,::1' } as const

/** Opens connections to this machine, and to public addresses. */
export const LOOPBACK = new Outbound({ allowed: rangesOf(ALLOW_LOOPBACK.SERVICE_OUTBOUND_ALLOW) })

/** Reads ranges that are right. */
export function rangesOf(cidrs: string): NonNullable<ReturnType<typeof addressRanges.parse>> {
  const ranges = addressRanges.parse(cidrs)
  if (!ranges) throw new Error(`${cidrs} are no ranges`)
  return ranges
}
