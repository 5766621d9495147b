import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { SharedServer } from './shared-servers.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Files and folders that the bundles reach, besides each other. */
const BESIDE = ['node_modules', 'package.json', 'console', 'sdk', 'dist-docs']

/** The service as the image has it: in bundles. It starts in less than half of the CPU time that the sources take. */
export interface ServiceBuild {
  /** The entry module. */
  readonly path: string
  /** The compile cache of Node.js, for the next process. */
  readonly environment: Readonly<Record<string, string>>
}

/** Builds the service in a folder of this run. */
export async function buildService(): Promise<SharedServer<ServiceBuild>> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-build-'))
  const dist = join(folder, 'dist')
  // Some tests run the service as another user.
  chmodSync(folder, 0o755)
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(folder, name))
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-service.ts'), '--no-maps', dist])
  const cache = join(folder, 'compile-cache')
  mkdirSync(cache)
  return {
    access: () => ({
      path: join(dist, 'bin/millrace.js'),
      environment: { NODE_COMPILE_CACHE: cache },
    }),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
