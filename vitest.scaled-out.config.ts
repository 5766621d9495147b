import { defineConfig } from 'vitest/config'
import { SCALED_OUT_PROJECT, SCALED_OUT_WHOLE } from './test/harness/scaled-out-suite.ts'

/** Every black-box test on two edges, two query processes and two shards: `npm run test:scaled-out`. */
export default defineConfig({
  test: {
    include: [...SCALED_OUT_WHOLE],
    pool: 'forks',
    maxWorkers: 1,
    ...SCALED_OUT_PROJECT,
  },
})
