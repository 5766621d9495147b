import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The version of this release, as its package says. */
export function releaseVersion(): string {
  const manifest = readFileSync(resolve(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}
