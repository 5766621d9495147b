import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ExportFormat, ExportScope, Slice } from './export-scope.ts'

/** The plan of an export; a resumed export must have the same options. */
export interface ExportPlan {
  readonly scope: ExportScope
  readonly format: ExportFormat
  readonly compression: 'none' | 'gzip'
  readonly slices: readonly Slice[]
}

/** Progress of an export to a file. */
export interface ExportState extends ExportPlan {
  /** Number of slices completely in the file. */
  readonly slicesDone: number
  /** Size of the file up to the last complete slice. */
  readonly bytes: number
}

const VERSION = 1

/** The file beside an unfinished export. */
export function statePath(out: string): string {
  return `${out}.progress`
}

/** Reads the state of an unfinished export; `undefined` when there is none. Throws when another release wrote it. */
export function readExportState(out: string): ExportState | undefined {
  let text: string
  try {
    text = readFileSync(statePath(out), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const state = JSON.parse(text) as ExportState & { readonly version: number }
  if (state.version !== VERSION) throw new Error(`${statePath(out)} was written by another release`)
  return state
}

/** Replaces the state, durably. The slices that it counts must be durable in the file before. */
export function writeExportState(out: string, state: ExportState): void {
  const draft = `${statePath(out)}.tmp`
  writeFileSync(draft, `${JSON.stringify({ version: VERSION, ...state })}\n`, { flush: true })
  renameSync(draft, statePath(out))
}

/** Removes the state of a completed export. */
export function removeExportState(out: string): void {
  rmSync(statePath(out), { force: true })
}
