// Builds the console into console/dist, each file beside its compressed forms. Runs after `npm ci`; where the build tools are
// not installed (`npm ci --omit=dev`) it prints so and keeps the existing files.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compressFiles } from './compress-files.ts'

const root = resolve(import.meta.dirname, '..')
const built = join(root, 'console', 'dist')

function findVite(): string | undefined {
  const folders = [join(root, 'node_modules'), join(root, 'console', 'node_modules')]
  return folders.map((folder) => join(folder, 'vite', 'bin', 'vite.js')).find((path) => existsSync(path))
}

const vite = findVite()
if (vite === undefined) {
  process.stderr.write('the console is not built: its build tools are not installed\n')
} else {
  const config = join(root, 'console', 'vite.config.ts')
  const words = [vite, 'build', '--config', config, '--logLevel', 'warn']
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('the console could not be built')
  compressFiles(built)
}
