import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Path of a process or thread entry module: `name` without its extension, next to the module with the given
 * `import.meta.url`. Sources run as `.ts`, the image as `.js`.
 */
export function entryPath(name: string, from: string): string {
  return fileURLToPath(new URL(`${name}${extname(fileURLToPath(from))}`, from))
}
