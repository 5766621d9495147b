import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SLOW } from './test/harness/fast-suite.ts'
import { FAST, PROFILE_VARIABLE } from './test/harness/profile.ts'
import { ALIASES, COMMON, splitByProcess } from './test/harness/vitest-options.ts'

/** The tests of `npm test`: all but those that take long, with fewer runs of each property. */
export default defineConfig({
  resolve: { alias: ALIASES },
  test: {
    ...COMMON,
    // Few of its files need much memory.
    maxWorkers: availableParallelism() + 2,
    env: { [PROFILE_VARIABLE]: FAST },
    projects: [...splitByProcess(SLOW.map(({ files }) => files))],
  },
})
