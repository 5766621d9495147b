#!/usr/bin/env node
// Runs `millrace` from the bundles that the installation has built, because they start in half of the time and with two thirds
// of the memory, and from the sources when there are no bundles, or a source or the versions of the packages are newer.
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

await import(join(root, isBuilt() ? 'dist/bin/millrace.js' : 'src/bin/millrace.ts'))

function isBuilt() {
  const builtMs = modifiedMs('dist/bin/millrace.js')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const inputs = ['package-lock.json', ...sources.map((name) => join('src', name))]
  return inputs.every((name) => modifiedMs(name) <= builtMs)
}

function modifiedMs(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
