import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import { type AlertContent, AlertContentSchema } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { asProjectId, isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { AlertTable } from '../../store/catalog/schema/alert-tables.ts'
import { invalidField } from '../invalid-field.ts'

/** A stored alert. */
export interface StoredAlert {
  readonly id: string
  readonly projectId: ProjectId
  readonly content: AlertContent
  readonly pauseReason: AlertTable['pause_reason']
  readonly pauseMessage: string
  readonly state: AlertTable['state']
  readonly stateMs: number
  /** The state that its channels were told last. */
  readonly told: AlertTable['told']
  /** 0 when it is not snoozed. */
  readonly snoozeMs: number
  /** End of the newest unit that is checked; 0 before the first. */
  readonly checkedMs: number
  readonly failures: number
  /** Incremented with each change of the content. */
  readonly revision: number
  /** The account of the creator; empty for an API key. */
  readonly createdBy: string
  readonly updatedBy: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of an alert: one of another project is not found. */
export interface AlertKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** Bounds one content, and with the limit of alerts the work of a check. */
const CONTENT_BYTES_MAX = 64 * 1024

/** Decodes a row. */
export function decodeAlert(row: Selectable<AlertTable>): StoredAlert {
  const content = fromJsonString(AlertContentSchema, row.content, { ignoreUnknownFields: true })
  content.paused = row.paused === 1
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    content,
    pauseReason: row.pause_reason,
    pauseMessage: row.pause_message,
    state: row.state,
    stateMs: Number(row.state_ms),
    told: row.told,
    snoozeMs: Number(row.snooze_ms),
    checkedMs: Number(row.checked_ms),
    failures: row.failures,
    revision: Number(row.revision),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  }
}

/** Encodes a content as columns. Throws `invalid_argument` when it is too large. */
export function encodeContent(content: AlertContent) {
  const text = toJsonString(AlertContentSchema, content)
  const bytes = Buffer.byteLength(text)
  if (bytes > CONTENT_BYTES_MAX)
    throw invalidField('content', `must be at most ${CONTENT_BYTES_MAX / 1024} KiB as JSON`)
  const { question } = content
  return {
    name: content.name,
    cadence: content.cadence,
    content: text,
    content_bytes: bytes,
    saved_insight_id: question.case === 'savedInsightId' ? question.value : null,
    paused: content.paused ? 1 : 0,
  } satisfies Partial<AlertTable>
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
export function parseAlertId(id: string): string {
  if (!isCanonicalUuid(id)) throw alertNotFound()
  return id
}

/** The alert does not exist, or belongs to another project. */
export function alertNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'ALERT_NOT_FOUND',
    message: 'there is no alert with this id',
  })
}
