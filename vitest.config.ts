import { defineConfig } from 'vitest/config'
import { SCALED_OUT_GATE, SCALED_OUT_PROJECT } from './test/harness/scaled-out-suite.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // Most of the time goes by in waiting for servers, so that two cores carry more than one file at a time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'one-machine',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      { extends: true, test: { name: 'scaled-out', include: [...SCALED_OUT_GATE], ...SCALED_OUT_PROJECT } },
    ],
  },
})
