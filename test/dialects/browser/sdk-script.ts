import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const PACKAGES = resolve(import.meta.dirname, '../../../node_modules')

/** A script for browsers in an installed package, such as `posthog-js/dist/array.js`. */
export async function readScript(path: string): Promise<string> {
  return await readFile(join(PACKAGES, path), 'utf8')
}

/** A module of an installed package as a script whose exports are members of a global. */
export async function bundleModule(path: string, global: string): Promise<string> {
  const bundle = await rolldown({ input: join(PACKAGES, path) })
  const { output } = await bundle.generate({ format: 'iife', name: global, exports: 'named' })
  return output[0].code
}
