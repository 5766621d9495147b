import { defineConfig } from 'vitest/config'
import { listScaledOut, SCALED_OUT_PROJECT } from './test/harness/scaled-out-suite.ts'
import { COMMON } from './test/harness/vitest-options.ts'

/** Every black-box test on two edges, two query processes and two shards: `npm run test:scaled-out`. */
export default defineConfig({
  test: {
    ...COMMON,
    include: [...listScaledOut()],
    maxWorkers: 1,
    ...SCALED_OUT_PROJECT,
  },
})
