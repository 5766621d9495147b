import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { RunOrder } from './run-order.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** As in `console/vite.config.ts`. */
export const ALIASES = {
  '@contract': resolve(ROOT, 'src/contract/gen'),
  '@domain': resolve(ROOT, 'src/domain'),
}

/** Test files at a time, whatever the machine: each may need two gigabytes. */
const WORKERS_MAX = 8

/** Options of every run of Vitest. */
export const COMMON = {
  pool: 'forks',
  globalSetup: 'test/harness/shared-servers.ts',
  // A test of the console reads its colours.
  css: { include: /tokens\.css\?raw/ },
  // Most files wait for servers longer than they compute, so that a core carries two; each may start a service.
  maxWorkers: Math.min(2 * availableParallelism(), WORKERS_MAX),
  sequence: { sequencer: RunOrder },
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const
