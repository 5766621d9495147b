// Builds sdk/browser (dist/sdk.js for a script element, dist/millrace.js with its types for bundlers), sdk/node and sdk/react.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBundler } from './find-bundler.ts'

const sdk = resolve(import.meta.dirname, '../sdk')
const browser = join(sdk, 'browser')
const node = join(sdk, 'node')
const react = join(sdk, 'react')

const browserOutputs = [
  { input: 'script.ts', file: 'sdk.js', format: 'iife' },
  { input: 'index.ts', file: 'millrace.js', format: 'es' },
] as const

/** Parts of the snippet that pages load when they ask for them. */
const MODULES = ['errors', 'file-downloads', 'form-submits', 'outbound-links', 'scroll-depth', 'web-vitals']

const nodeOutputs = [
  { file: 'millrace.js', format: 'es' },
  { file: 'millrace.cjs', format: 'cjs' },
] as const

const bundler = await findBundler()
if (!bundler) {
  process.stdout.write(
    'the browser snippet and the SDKs of Node.js and React are not built: the development packages are not installed\n',
  )
  process.exit(0)
}

for (const { input, file, format } of browserOutputs) {
  await bundler.build({
    input: join(browser, 'src', input),
    tsconfig: false,
    transform: { target: 'es2022' },
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    output: { file: join(browser, 'dist', file), format, minify: true, comments: false },
  })
}

/** The web vitals come from a package of this licence. */
const NOTICE = '/*! contains web-vitals, Copyright Google LLC, Apache License 2.0 */'

const moduleOutputs = [
  { input: 'modules.ts', file: 'modules.js' },
  ...MODULES.map((name) => ({ input: `modules/${name}.ts`, file: `sdk-${name}.js` })),
]
for (const { input, file } of moduleOutputs) {
  await bundler.build({
    input: join(browser, 'src', input),
    tsconfig: false,
    transform: { target: 'es2022' },
    output: {
      file: join(browser, 'dist', file),
      format: 'es',
      minify: true,
      comments: false,
      postBanner: ({ moduleIds }) => (moduleIds.some((id) => id.includes('/web-vitals/')) ? NOTICE : ''),
    },
  })
}

for (const { file, format } of nodeOutputs) {
  await bundler.build({
    input: join(node, 'src/index.ts'),
    platform: 'node',
    tsconfig: false,
    transform: { target: 'es2022' },
    output: { file: join(node, 'dist', file), format, comments: false },
  })
}

await bundler.build({
  input: { index: join(react, 'src/index.ts'), next: join(react, 'src/next.ts') },
  external: ['react', 'next/navigation.js'],
  tsconfig: false,
  transform: { target: 'es2022' },
  output: {
    dir: join(react, 'dist'),
    format: 'es',
    minify: true,
    comments: false,
    chunkFileNames: 'shared.js',
    // Hooks run in components of the browser only.
    postBanner: "'use client'",
  },
})

for (const folder of [browser, node, react]) {
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
}

// Only two of the files are public. A CommonJS file needs types of its own.
const emitted = join(node, 'dist/types')
for (const name of ['index', 'api']) {
  const text = readFileSync(join(emitted, `node/src/${name}.d.ts`), 'utf8')
  for (const kind of ['js', 'cjs']) {
    const file = join(node, 'dist', `${name}.d.${kind.replace('js', 'ts')}`)
    writeFileSync(file, text.replaceAll("./api.ts'", `./api.${kind}'`))
  }
}
rmSync(emitted, { recursive: true })
