import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'

/**
 * The folder of the installation, which has package.json, the built console and the packages. The sources are in its folder
 * `src`, the build in `dist`: where in them this module is depends on how they were built.
 */
export const INSTALLATION = findInstallation(import.meta.dirname)

/** The folder with the code that runs: `src` or `dist`. */
const [CODE = ''] = relative(INSTALLATION, import.meta.dirname).split(sep)

/** Path of an entry module of a process or a thread, by its path below `src` without the extension. */
export function entryPath(name: string): string {
  return join(INSTALLATION, CODE, name + extname(import.meta.filename))
}

/** The version of this release in package.json, from sources or from the build. */
export function releaseVersion(): string {
  const manifest = readFileSync(join(INSTALLATION, 'package.json'), 'utf8')
  return String(JSON.parse(manifest).version)
}

function findInstallation(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('there is no package.json above the code of the service')
  return findInstallation(parent)
}
