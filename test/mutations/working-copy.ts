import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { SourceText } from './plant.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A copy of the work tree that a run may spoil. */
export interface WorkingCopy {
  readonly root: string
  /** Its files, from the root. */
  readonly paths: readonly string[]
  remove(): void
}

/** The files that git tracks or would track, from the root of the repository. */
export function listWorkTree(): readonly string[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', listing, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  return [...new Set(paths)].filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

/** Folders whose modules mutations change: the service, the models of the console, and the browser snippet. */
const MUTATED = ['src/', 'console/src/', 'sdk/browser/src/']

/** The code of the product that mutations change. */
export function readSources(): readonly SourceText[] {
  return listWorkTree()
    .filter(
      (path) =>
        MUTATED.some((folder) => path.startsWith(folder)) &&
        path.endsWith('.ts') &&
        !path.endsWith('.test.ts'),
    )
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** Copies the files of the work tree; packages stay where they are, behind a link. */
export function copyWorkTree(): WorkingCopy {
  const root = mkdtempSync(join(tmpdir(), 'millrace-mutations-'))
  const paths = listWorkTree()
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(ROOT, path), join(root, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return { root, paths, remove: () => rmSync(root, { recursive: true, force: true }) }
}
