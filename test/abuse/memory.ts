import { readFileSync } from 'node:fs'
import type { ServiceUnderAttack } from './service-under-attack.ts'

/** The processes that read requests. */
const READERS = ['edge', 'query'] as const

/** MiB by process. */
export type Memory = Readonly<Record<(typeof READERS)[number], number>>

/** The resident memory now. */
export function residentMemory(service: ServiceUnderAttack): Memory {
  return { edge: readMiB(service.pid('edge'), 'VmRSS'), query: readMiB(service.pid('query'), 'VmRSS') }
}

/** Open descriptors of the edge. */
export function fieldOf(pid: number, field: string): number {
  const [, value] =
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(value ?? 0)
}

function readMiB(pid: number, field: string): number {
  return Math.round(fieldOf(pid, field) / 1024)
}

/** Looks at the memory every tenth of a second until it is told to stop, and gives the most that it saw. */
export function watchMemory(service: ServiceUnderAttack): { stop(): Memory } {
  const most = { edge: 0, query: 0 }
  const timer = setInterval(() => {
    try {
      const now = residentMemory(service)
      for (const role of READERS) most[role] = Math.max(most[role], now[role])
    } catch {
      // A process that is not there is found by its pid file afterwards.
    }
  }, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
