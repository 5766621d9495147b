// Builds the console into console/dist, each file beside its compressed forms. Runs after `npm ci`; where the build tools are
// not installed (`npm ci --omit=dev`) it says so and leaves what is there.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const built = join(root, 'console', 'dist')

/** Smaller than this, compression gains nothing. */
const COMPRESSED_BYTES_MIN = 512

function findVite(): string | undefined {
  const places = [join(root, 'node_modules'), join(root, 'console', 'node_modules')]
  return places.map((place) => join(place, 'vite', 'bin', 'vite.js')).find((path) => existsSync(path))
}

function compress(path: string): void {
  const plain = readFileSync(path)
  if (plain.length < COMPRESSED_BYTES_MIN) return
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }))
}

const vite = findVite()
if (vite === undefined) {
  process.stderr.write('the console is not built: its build tools are not installed\n')
} else {
  const config = join(root, 'console', 'vite.config.ts')
  const words = [vite, 'build', '--config', config, '--logLevel', 'warn']
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('the console could not be built')
  const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const file of files) compress(join(file.parentPath, file.name))
}
