import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { SharedServer } from './shared-servers.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What compiled modules reach from their folder, besides each other. */
const BESIDE = ['node_modules', 'package.json', 'console', 'sdk', 'dist-docs']

/** The service as the image has it: compiled. A process of it starts in two thirds of the CPU time that the sources take. */
export interface ServiceBuild {
  /** The entry module. */
  readonly path: string
  /** What Node.js compiled, for the next process. */
  readonly environment: Readonly<Record<string, string>>
}

/** Compiles the service in a folder of this run. Types are checked elsewhere. */
export async function buildService(): Promise<SharedServer<ServiceBuild>> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-build-'))
  const dist = join(folder, 'dist')
  // Some tests run the service as another user.
  chmodSync(folder, 0o755)
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(folder, name))
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--sourceMap', 'false', '--outDir', dist]
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), options, { cwd: ROOT })
  cpSync(join(ROOT, 'src/contract/gen'), join(dist, 'contract/gen'), { recursive: true })
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
