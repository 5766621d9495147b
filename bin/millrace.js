#!/usr/bin/env node
// Runs `millrace` from the bundles that the installation has built, because they start in half of the time and with two thirds
// of the memory, and from the sources when there are no bundles or a source is newer.
import { join, resolve } from 'node:path'
import { isBuilt } from './is-built.js'

const root = resolve(import.meta.dirname, '..')

await import(join(root, isBuilt(root) ? 'dist/bin/millrace.js' : 'src/bin/millrace.ts'))
