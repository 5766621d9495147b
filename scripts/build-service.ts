// Builds the service: bundles of its code and its packages, so that a process loads a few files instead of a thousand. Runs after
// `npm ci`; where the bundler is not installed (`npm ci --omit=dev`) it keeps existing bundles, and without any the sources run.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBundler } from './find-bundler.ts'

/** The modules that processes and threads start with; each keeps its path. */
const ENTRIES = ['bin/millrace', 'bin/role', 'pipeline/worker', 'store/embedded/engine-process']

/** Packages with native code or files that they look for beside themselves, and those that only tracing and OAuth load. */
const APART = [
  ...['uWebSockets.js', 'lmdb', 'libsql', 'ffi-rs', '@node-rs/argon2', '@resvg/resvg-js', '@resvg/resvg-js'],
  ...['msgpackr-extract', 'pg-native', 'piscina', '@opentelemetry', 'oidc-provider'],
]

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-maps': { type: 'boolean', default: false } },
})
const folder = resolve(positionals[0] ?? join(root, 'dist'))
const bundler = await findBundler()
if (!bundler) {
  process.stderr.write('the service is not bundled: its build tools are not installed\n')
  process.exit()
}
rmSync(folder, { recursive: true, force: true })

await bundler.build({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, 'src', `${entry}.ts`)])),
  platform: 'node',
  tsconfig: false,
  external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: folder,
    format: 'es',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // The log names classes of errors.
    keepNames: true,
    // A process keeps its sources in memory, where one character beyond Latin-1 makes each of a file take two bytes.
    charset: 'ascii',
    comments: false,
    // Node.js reads them with --enable-source-maps only.
    sourcemap: !values['no-maps'],
    sourcemapExcludeSources: true,
  },
})
