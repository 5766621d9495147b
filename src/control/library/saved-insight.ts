import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import {
  type InsightContent,
  InsightContentSchema,
} from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { SavedInsightTable } from '../../store/catalog/schema/library-tables.ts'
import { invalidField } from '../invalid-field.ts'

/** A stored insight. */
export interface SavedInsight {
  readonly id: string
  readonly content: InsightContent
  readonly version: number
  /** The account of the creator; empty for an API key. */
  readonly createdBy: string
  readonly updatedBy: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of a saved insight: one of another project is not found. */
export interface InsightKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** The author and the time of a change. */
export interface Authorship {
  /** Empty for an API key. */
  readonly account: string
  readonly nowMs: number
}

/** Bounds one content, and with the versions of it the work of listing them. */
const CONTENT_BYTES_MAX = 64 * 1024

/** Decodes a row. */
export function decodeInsight(row: Selectable<SavedInsightTable>): SavedInsight {
  return {
    id: row.id,
    content: decodeContent(row.content),
    version: row.version,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}

/** Encodes a content as columns. Throws `invalid_argument` when it is too large. */
export function encodeContent(content: InsightContent) {
  const text = toJsonString(InsightContentSchema, content)
  const contentBytes = Buffer.byteLength(text)
  if (contentBytes > CONTENT_BYTES_MAX) {
    throw invalidField('content', `must be at most ${CONTENT_BYTES_MAX / 1024} KiB as JSON`)
  }
  return {
    name: content.name,
    description: content.description,
    tags: JSON.stringify(content.tags),
    insight_type: content.spec?.insightType ?? 0,
    content: text,
    content_bytes: contentBytes,
  } satisfies Partial<SavedInsightTable>
}

/** Ignores fields that a later release may have stored. */
export function decodeContent(text: string): InsightContent {
  return fromJsonString(InsightContentSchema, text, { ignoreUnknownFields: true })
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
export function parseInsightId(id: string): string {
  if (!isCanonicalUuid(id)) throw savedInsightNotFound()
  return id
}

/** The insight does not exist, or belongs to another project. */
export function savedInsightNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'SAVED_INSIGHT_NOT_FOUND',
    message: 'there is no saved insight with this id',
  })
}
