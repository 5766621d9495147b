import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ExportFormat, ExportScope, Slice } from './export-scope.ts'

/** What an export is about: one that goes on must be about the same. */
export interface ExportPlan {
  readonly scope: ExportScope
  readonly format: ExportFormat
  readonly compression: 'none' | 'gzip'
  readonly slices: readonly Slice[]
}

/** How far an export into a file came. */
export interface ExportState extends ExportPlan {
  /** Slices that are whole in the file. */
  readonly slicesDone: number
  /** Bytes of the file that they take. */
  readonly bytes: number
}

const VERSION = 1

/** The file beside an unfinished export. */
export function statePath(out: string): string {
  return `${out}.progress`
}

/** Reads the state of an unfinished export; `undefined` when there is none. Throws when it is of another release. */
export function readExportState(out: string): ExportState | undefined {
  let text: string
  try {
    text = readFileSync(statePath(out), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const state = JSON.parse(text) as ExportState & { readonly version: number }
  if (state.version !== VERSION) throw new Error(`${statePath(out)} is of another release`)
  return state
}

/** Replaces the state; what it says is in the file must be durable there. */
export function writeExportState(out: string, state: ExportState): void {
  const draft = `${statePath(out)}.tmp`
  writeFileSync(draft, `${JSON.stringify({ version: VERSION, ...state })}\n`, { flush: true })
  renameSync(draft, statePath(out))
}

/** Forgets the state of an export that is finished. */
export function removeExportState(out: string): void {
  rmSync(statePath(out), { force: true })
}
