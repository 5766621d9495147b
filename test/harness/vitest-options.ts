import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config'
import { ALONE, SEPARATE, SHARING } from './fast-suite.ts'
import { RunOrder } from './run-order.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** As in `console/vite.config.ts`, but for icons: they need a browser, and models of the console only name them. */
export const ALIASES = [
  { find: '@contract', replacement: resolve(ROOT, 'src/contract/gen') },
  { find: '@domain', replacement: resolve(ROOT, 'src/domain') },
  { find: /^lucide-solid\/icons\/.+$/, replacement: 'data:text/javascript,export default undefined' },
]

/** Test files at a time, whatever the machine: each may need two gigabytes. */
const WORKERS_MAX = 8

/** Options of every run of Vitest. */
export const COMMON = {
  pool: 'forks',
  globalSetup: 'test/harness/shared-servers.ts',
  // A test of the console reads its colours.
  css: { include: /tokens\.css\?raw/ },
  // Files that start services wait for a third to three quarters of their time: two more than there are cores fill it.
  maxWorkers: Math.min(availableParallelism() + 2, WORKERS_MAX),
  sequence: { sequencer: RunOrder },
  testTimeout: 60_000,
  // A hook may start several services at once, after the first of a run has compiled them.
  hookTimeout: 120_000,
  // What a busy machine takes a second for is no failure.
  expect: { poll: { timeout: 20_000 } },
} as const

/** The two projects of a run: files that share processes, and files that do not. Files of `left` are in neither. */
export function splitByProcess(left: readonly string[] = []): readonly TestProjectInlineConfiguration[] {
  const alone = ALONE.map(({ files }) => files)
  const exclude = [...configDefaults.exclude, ...left]
  const separate = { name: 'separate', include: [...SEPARATE, ...alone], exclude }
  const shared = { name: 'shared', include: [...SHARING], exclude: [...exclude, ...alone], isolate: false }
  return [
    { extends: true, test: separate },
    { extends: true, test: shared },
  ]
}
