import { type ProgressFile, progressFile } from '../progress-file.ts'
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

/** The state of an unfinished export. The slices that it counts must be durable in the file before it is written. */
export const exportState: ProgressFile<ExportState> = progressFile({ version: 1, isDurable: true })
