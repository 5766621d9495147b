import type { TimeMs } from './time-ms.ts'

/** What people know about a name of a project. */
export interface NameDefinitionTable {
  readonly project_id: number
  readonly type: 'event' | 'property'
  readonly name: string
  /** Empty when people see the name itself. */
  display_name: string
  description: string
  owner: string
  /** JSON list. */
  tags: string
  state: 'verified' | 'unreviewed' | 'hidden' | 'deprecated' | 'blocked'
  /** The account of the last change; empty for an API key. */
  updated_by: string
  updated_ms: TimeMs
}

/** An event kind that counts as another, which counts as none itself. */
export interface MergedNameTable {
  readonly project_id: number
  readonly name: string
  into_name: string
}

/** A kind in a group of near-duplicates that someone has ignored. */
export interface IgnoredDuplicateTable {
  readonly project_id: number
  readonly name: string
}
