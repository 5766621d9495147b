import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Writes a generated page of `docs`. With --check it writes nothing, and the process exits with 1 when the committed page is
 * another one.
 */
export function writePage(name: string, fresh: string): void {
  const page = resolve(import.meta.dirname, '..', 'docs', name)
  if (!process.argv.includes('--check')) {
    writeFileSync(page, fresh)
  } else if (!existsSync(page) || readFileSync(page, 'utf8') !== fresh) {
    process.stderr.write(`docs/${name} differs: run \`npm run gen\`\n`)
    process.exitCode = 1
  }
}
