// Builds the documentation as static HTML in dist-docs/. Exits 1, and writes nothing, when a link is broken.
import { resolve } from 'node:path'
import { readSite } from './docs-site/site.ts'
import { writeSite } from './docs-site/write-site.ts'

const root = resolve(import.meta.dirname, '..')
const output = resolve(root, 'dist-docs')

const site = readSite(root)
if (site.broken.length > 0) {
  process.stderr.write(`${site.broken.join('\n')}\n`)
  process.exitCode = 1
} else {
  writeSite(site, { root, output })
  const count = site.sections.reduce((sum, { pages }) => sum + pages.length, 0)
  process.stdout.write(`dist-docs/index.html and ${count - 1} more pages\n`)
}
