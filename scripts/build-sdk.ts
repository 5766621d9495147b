// Builds sdk/browser (dist/sdk.js for a script element, dist/millrace.js with its types for bundlers), sdk/node and sdk/react. The
// packages are ES modules and CommonJS, which test runners and older bundlers still load.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBundler } from './find-bundler.ts'

const sdk = resolve(import.meta.dirname, '../sdk')
const browser = join(sdk, 'browser')
const node = join(sdk, 'node')
const react = join(sdk, 'react')

const browserOutputs = [
  { input: 'script.ts', file: 'sdk.js', format: 'iife' },
  { input: 'index.ts', file: 'millrace.js', format: 'es' },
  { input: 'index.ts', file: 'millrace.cjs', format: 'cjs' },
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
  { input: 'modules.ts', file: 'modules.js', format: 'es' },
  { input: 'modules.ts', file: 'modules.cjs', format: 'cjs' },
  ...MODULES.map((name) => ({
    input: `modules/${name}.ts`,
    file: `sdk-${name}.js`,
    format: 'es' as const,
  })),
] as const
for (const { input, file, format } of moduleOutputs) {
  await bundler.build({
    input: join(browser, 'src', input),
    tsconfig: false,
    transform: { target: 'es2022' },
    output: {
      file: join(browser, 'dist', file),
      format,
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

for (const [format, kind] of [
  ['es', 'js'],
  ['cjs', 'cjs'],
] as const) {
  await bundler.build({
    input: { index: join(react, 'src/index.ts'), next: join(react, 'src/next.ts') },
    external: ['react', 'next/navigation.js'],
    tsconfig: false,
    transform: { target: 'es2022' },
    output: {
      dir: join(react, 'dist'),
      format,
      minify: true,
      comments: false,
      entryFileNames: `[name].${kind}`,
      chunkFileNames: `shared.${kind}`,
      // Hooks run in components of the browser only.
      postBanner: "'use client'",
    },
  })
}

for (const folder of [browser, node, react]) {
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
  copyFileSync(resolve(sdk, '../LICENSE'), join(folder, 'dist/LICENSE'))
}

/** Types with the names of what is installed: TypeScript before 5.0 does not know imports of `.ts`. */
function importing(kind: 'js' | 'cjs', types: string): string {
  return types.replaceAll(/(?<=(['"])\.[^'"]*)\.ts(?=\1)/g, `.${kind}`)
}

// A CommonJS file needs types of its own.
for (const folder of [browser, react]) {
  const types = join(folder, 'dist/types')
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const text = readFileSync(join(types, name), 'utf8')
    writeFileSync(join(types, name), importing('js', text))
    writeFileSync(join(types, name.replace(/\.ts$/, '.cts')), importing('cjs', text))
  }
}

// Only two of the files are public.
const emitted = join(node, 'dist/types')
for (const name of ['index', 'api']) {
  const text = readFileSync(join(emitted, `node/src/${name}.d.ts`), 'utf8')
  for (const kind of ['js', 'cjs'] as const)
    writeFileSync(join(node, 'dist', `${name}.d.${kind.replace('js', 'ts')}`), importing(kind, text))
}
rmSync(emitted, { recursive: true })
