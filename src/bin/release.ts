import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The version of this release in package.json, from sources or from the build. */
export function releaseVersion(): string {
  const manifest = readFileSync(resolve(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}
