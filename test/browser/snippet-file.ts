import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The snippet as pages get it; `npm ci` and `npm run build:sdk` build it. */
export function readSnippet(): string {
  return readBuilt('sdk.js')
}

/** One of the files that pages load. */
export function readBuilt(file: string): string {
  return readFileSync(resolve(import.meta.dirname, '../../sdk/browser/dist', file), 'utf8')
}
