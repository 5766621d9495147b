import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The snippet as pages get it; `npm ci` and `npm run build:sdk` build it. */
export function readSnippet(): string {
  return readFileSync(resolve(import.meta.dirname, '../../sdk/browser/dist/sdk.js'), 'utf8')
}
