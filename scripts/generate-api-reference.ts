// Generates docs/api from the comments in proto, the role table and docs/api/examples.json. With --check it writes nothing
// and exits 1 when a committed page differs from what it would write.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { renderReference } from './api-reference/render-reference.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs', 'api')

const fresh = renderReference(root)
mkdirSync(folder, { recursive: true })
const committed = readdirSync(folder).filter((name) => name.endsWith('.md'))
const stale = committed.filter((name) => !fresh.has(name))

if (process.argv.includes('--check')) {
  const differing = [...fresh].filter(
    ([name, text]) => !committed.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  )
  const names = [...differing.map(([name]) => name), ...stale]
  if (names.length > 0) {
    process.stderr.write(`run \`npm run gen\`, pages in docs/api differ: ${names.join(', ')}\n`)
    process.exitCode = 1
  }
} else {
  for (const name of stale) rmSync(join(folder, name))
  for (const [name, text] of fresh) writeFileSync(join(folder, name), text)
}
