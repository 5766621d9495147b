#!/usr/bin/env node
// Runs `millrace` from the bundles that the installation has built, because they start in half of the time and with two thirds
// of the memory, and from the sources when there are no bundles or a source is newer.
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const built = join(root, 'dist/bin/millrace.js')
const sources = join(root, 'src')

await import(isCurrent() ? built : join(sources, 'bin/millrace.ts'))

function isCurrent() {
  const builtMs = statSync(built, { throwIfNoEntry: false })?.mtimeMs
  if (builtMs === undefined) return false
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return names.every((name) => statSync(join(sources, name)).mtimeMs <= builtMs)
}
