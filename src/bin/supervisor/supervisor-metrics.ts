import { statfs } from 'node:fs/promises'
import { releaseVersion } from '../../kernel/installation.ts'
import { collectRuntimeMetrics, counter, observedGauges } from '../../kernel/metrics.ts'
import { ROLES, type Role, type Settings } from '../../settings/settings.ts'

const restarts = counter(
  'millrace_role_restarts_total',
  'Unexpected ends and failed starts of the process of a role.',
  ['process'],
)

/** Counts a role whose process died, or could not start. */
export function countDeath(process: Role): void {
  restarts.inc({ process })
}

/** Registers the metrics of the service as a whole. */
export function observeService(settings: Settings, isUp: (role: Role) => boolean): void {
  collectRuntimeMetrics()
  const roles = ROLES.filter(
    (role) => settings.roles.includes(role) && !(role === 'store' && settings.clickhouseUrl),
  )
  for (const process of roles) restarts.inc({ process }, 0)
  const version = releaseVersion()
  observedGauges(
    'millrace_build_info',
    'Always 1; the labels have the versions of the release and of Node.js.',
    {
      labels: ['version', 'node'],
      read: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
    },
  )
  observedGauges('millrace_role_up', '1 while the process of a role runs and responds, else 0.', {
    labels: ['process'],
    read: () => roles.map((role) => ({ labels: { process: role }, value: Number(isUp(role)) })),
  })
  observedGauges('millrace_data_disk_free_bytes', 'Free bytes of the disk that holds the data folder.', {
    labels: [],
    read: async () => [{ labels: {}, value: await readDisk(settings.dataDir, 'bavail') }],
  })
  observedGauges('millrace_data_disk_bytes', 'Size of the disk that holds the data folder.', {
    labels: [],
    read: async () => [{ labels: {}, value: await readDisk(settings.dataDir, 'blocks') }],
  })
}

async function readDisk(folder: string, field: 'bavail' | 'blocks'): Promise<number> {
  const { bsize, ...blocks } = await statfs(folder)
  return bsize * blocks[field]
}
