// Builds sdk/browser: dist/sdk.js for a script element, dist/millrace.js with its types for bundlers.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../sdk/browser')

/** Members that only the snippet's own modules see, so that their names may be short. None is a name of the browser's. */
const INNER_NAMES = [
  // Store
  ...['keysFrom', 'read', 'write', 'hold', 'erase', 'heldKeys', 'allow', 'forbid'],
  // Identity
  ...['idsAt', 'become', 'forget'],
  // Outbox
  ...['addEvent', 'addIdentify', 'seal', 'take', 'discard', 'heldMessages', 'keep'],
  ...['shared', 'own', 'segments', 'batch', 'person'],
  // Sender
  ...['wake', 'resume', 'leave', 'store', 'outbox', 'onSent'],
  // Page
  ...['describe', 'watch'],
]

const outputs = [
  { input: 'script.ts', file: 'sdk.js', format: 'iife' },
  { input: 'index.ts', file: 'millrace.js', format: 'es' },
] as const

/** An installation without development packages has no bundler, and a service without the snippet. */
async function findBundler(): Promise<typeof import('rolldown') | undefined> {
  try {
    return await import('rolldown')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

const bundler = await findBundler()
if (!bundler) {
  process.stdout.write('the browser snippet is not built: the development packages are not installed\n')
  process.exit(0)
}

for (const { input, file, format } of outputs) {
  await bundler.build({
    input: join(folder, 'src', input),
    tsconfig: false,
    transform: { target: 'es2022' },
    output: {
      file: join(folder, 'dist', file),
      format,
      minify: { mangleProps: { include: new RegExp(`^(${INNER_NAMES.join('|')})$`) } },
      comments: false,
    },
  })
}

execFileSync('tsc', ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
