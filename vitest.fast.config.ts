import { configDefaults, defineConfig } from 'vitest/config'
import { FILES, SLOW } from './test/harness/fast-suite.ts'
import { FAST, PROFILE_VARIABLE } from './test/harness/profile.ts'
import { ALIASES, COMMON } from './test/harness/vitest-options.ts'

/** The tests of `npm test`: all but those that take long, with fewer runs of each property. */
export default defineConfig({
  resolve: { alias: ALIASES },
  test: {
    ...COMMON,
    include: [...FILES],
    exclude: [...configDefaults.exclude, ...SLOW.map(({ files }) => files)],
    env: { [PROFILE_VARIABLE]: FAST },
  },
})
