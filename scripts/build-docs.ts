// Builds the documentation site into dist-docs/, each file beside its compressed forms. Installs the site generator, which
// `npm ci` of the repository leaves out, into docs/site first. A link to a page
// that is not there fails the build; scripts/docs-site/site.test.ts checks every other link.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compressFiles } from './compress-files.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs', 'site')
const output = join(root, 'dist-docs')

function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw error ?? new Error(`${words.join(' ')} exited with ${status}`)
}

run('npm', ['ci', '--no-audit', '--no-fund'])
rmSync(output, { recursive: true, force: true })
run(process.execPath, [join(folder, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', '.'])
compressFiles(output)
