import { defineConfig } from 'vitest/config'
import { COMMON } from './test/harness/fast-suite.ts'
import { listScaledOut, SCALED_OUT_PROJECT } from './test/harness/scaled-out-suite.ts'

/** Every black-box test on two edges, two query processes and two shards: `npm run test:scaled-out`. */
export default defineConfig({
  test: {
    ...COMMON,
    include: [...listScaledOut()],
    maxWorkers: 1,
    ...SCALED_OUT_PROJECT,
  },
})
