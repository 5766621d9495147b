import { readFileSync } from 'node:fs'
import type { TestService } from '../harness/service.ts'

const ROLES = ['edge', 'query'] as const

/** The most memory that the edge and the query process ever had resident, in MiB. */
export function peakMemory(service: TestService): Readonly<Record<(typeof ROLES)[number], number>> {
  return { edge: peakOf(service.pid('edge')), query: peakOf(service.pid('query')) }
}

function peakOf(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kibibytes === undefined) throw new Error(`the memory of process ${pid} is unknown`)
  return Math.round(Number(kibibytes) / 1024)
}
