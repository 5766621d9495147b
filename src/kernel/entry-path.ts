import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Path of a module that is started as a process or a thread: `name` without its extension, beside the module whose
 * `import.meta.url` is given. Sources run as `.ts`, the image as `.js`.
 */
export function entryPath(name: string, from: string): string {
  return fileURLToPath(new URL(`${name}${extname(fileURLToPath(from))}`, from))
}
