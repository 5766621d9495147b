// Builds sdk/browser: dist/sdk.js for a script element, dist/millrace.js for bundlers.
import { join, resolve } from 'node:path'
import { build } from 'rolldown'

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

for (const { input, file, format } of outputs) {
  await build({
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
