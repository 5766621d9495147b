import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether there are bundles that are as new as every source and the versions of the packages.
 *
 * @param {string} root
 */
export function isBuilt(root) {
  const builtMs = modifiedMs(join(root, 'dist/bin/millrace.js'))
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const inputs = ['package-lock.json', ...sources.map((name) => join('src', name))]
  return inputs.every((name) => modifiedMs(join(root, name)) <= builtMs)
}

/** @param {string} path */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
