import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLATION } from '../../kernel/installation.ts'

/** The version of this release in package.json, from sources or from the build. */
export function releaseVersion(): string {
  const manifest = readFileSync(join(INSTALLATION, 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}
