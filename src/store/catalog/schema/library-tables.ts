import type { TimeMs } from './time-ms.ts'

/** A saved insight; its content is also the one of its current version. */
export interface SavedInsightTable {
  readonly id: string
  readonly project_id: number
  /** Name, description, tags and type are part of the content, for lists. */
  name: string
  description: string
  /** JSON array. */
  tags: string
  /** The type's number in the API. */
  insight_type: number
  /** Proto JSON. */
  content: string
  content_bytes: number
  /** Number of the current version, from 1. */
  version: number
  /** The account of the creator; empty for an API key. */
  readonly created_by: string
  updated_by: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A content that a saved insight has or had. */
export interface SavedInsightVersionTable {
  readonly insight_id: string
  readonly version: number
  readonly project_id: number
  /** Proto JSON. */
  readonly content: string
  readonly content_bytes: number
  readonly created_by: string
  readonly created_ms: TimeMs
}

/** A favorite of an account; the empty account stands for the API keys of the project. */
export interface SavedInsightFavoriteTable {
  readonly insight_id: string
  readonly account: string
}

/** The tiles of a dashboard that follow a saved insight. */
export interface SavedInsightUseTable {
  readonly dashboard_id: string
  readonly insight_id: string
  readonly tile_count: number
}

/** A note at an instant. */
export interface AnnotationTable {
  readonly id: string
  readonly project_id: number
  /** The only dashboard that shows it; null for the whole project. */
  dashboard_id: string | null
  time_ms: TimeMs
  text: string
  /** The account of the creator; empty for an API key. */
  readonly created_by: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}
