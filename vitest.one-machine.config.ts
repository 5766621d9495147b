import { defineConfig } from 'vitest/config'
import { ALIASES, COMMON, splitByProcess } from './test/harness/vitest-options.ts'

/** Every test on one machine. In a file of its own, so that `--project one-machine` means both of its projects. */
export default defineConfig({
  resolve: { alias: ALIASES },
  test: { ...COMMON, name: 'one-machine', projects: [...splitByProcess()] },
})
