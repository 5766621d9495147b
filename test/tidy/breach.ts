/** The rules of the repository; see the check of each. */
export type Rule =
  | 'import'
  | 'folder'
  | 'package'
  | 'export'
  | 'reserved'
  | 'size'
  | 'name'
  | 'shared'
  | 'text'

/** One place that breaks a rule. */
export interface Breach {
  readonly rule: Rule
  /** From the root of the repository, with slashes. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** The offending layer, package, word or function, for the table of exceptions. */
  readonly subject: string
  /** The breach, then its remedy. */
  readonly message: string
}

/** A breach as one line that an editor can jump to. */
export function formatBreach({ path, line, message }: Breach): string {
  return `${path}:${line} ${message}`
}
