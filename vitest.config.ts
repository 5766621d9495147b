import { defineConfig } from 'vitest/config'
import { SCALED_OUT_GATE, SCALED_OUT_PROJECT } from './test/harness/scaled-out-suite.ts'
import { ALIASES, COMMON } from './test/harness/vitest-options.ts'

/** Every test: `npm run test:all`, or single files by their paths. */
export default defineConfig({
  resolve: { alias: ALIASES },
  test: {
    ...COMMON,
    projects: [
      './vitest.one-machine.config.ts',
      { extends: true, test: { name: 'scaled-out', include: [...SCALED_OUT_GATE], ...SCALED_OUT_PROJECT } },
    ],
  },
})
