import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processCpuSeconds } from '../rig/cpu.ts'

/** CPU seconds so far of the processes of a service on this machine, by role; none when its folder is not known. */
export function readCpuByRole(dataDir: string | undefined): ReadonlyMap<string, number> {
  const folder = join(dataDir ?? '', 'run')
  if (dataDir === undefined || !existsSync(folder)) return new Map()
  const files = readdirSync(folder).filter((name) => name.endsWith('.pid'))
  return new Map(
    files.flatMap((name) => {
      const pid = Number(readFileSync(join(folder, name), 'utf8'))
      return existsSync(`/proc/${pid}/stat`)
        ? [[basename(name, '.pid'), processCpuSeconds(pid)] as const]
        : []
    }),
  )
}

/** Microseconds of CPU time per event that each role took between two readings. */
export function cpuMicrosPerEvent(
  {
    before,
    after,
  }: { readonly before: ReadonlyMap<string, number>; readonly after: ReadonlyMap<string, number> },
  events: number,
): Readonly<Record<string, number>> {
  const entries = [...after].map(([role, seconds]) => {
    const spent = seconds - (before.get(role) ?? 0)
    return [role, events === 0 ? 0 : (spent * 1e6) / events] as const
  })
  return Object.fromEntries(entries)
}
