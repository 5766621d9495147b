import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SCALED_OUT_GATE, SCALED_OUT_PROJECT } from './test/harness/scaled-out-suite.ts'

/** As in `console/vite.config.ts`. */
const consoleAliases = {
  '@contract': resolve(import.meta.dirname, 'src/contract/gen'),
  '@domain': resolve(import.meta.dirname, 'src/domain'),
}

export default defineConfig({
  resolve: { alias: consoleAliases },
  test: {
    pool: 'forks',
    // A test of the console reads its style sheet.
    css: { include: /style\.css\?raw/ },
    // Most of the time goes by in waiting for servers, so that two cores carry more than one file at a time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'one-machine',
          include: [
            'src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      { extends: true, test: { name: 'scaled-out', include: [...SCALED_OUT_GATE], ...SCALED_OUT_PROJECT } },
    ],
  },
})
