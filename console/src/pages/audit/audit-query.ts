import { type AuditEntry, AuditLogService } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { clientOf } from '../../rpc/client.ts'
import type { EntryFilter } from './audit-view.ts'

const auditClient = clientOf(AuditLogService)

/** Entries on a page of the list. */
export const ENTRIES_PER_PAGE = 50

/** Parts of an export, of 2,000 entries each: the browser holds them until they are saved. */
const EXPORT_PARTS_MAX = 50

/** Reads a page of the list. */
export async function readEntries(
  request: { readonly orgId: string; readonly filter: EntryFilter; readonly pageToken: string },
  signal: AbortSignal,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly nextPageToken: string }> {
  return await auditClient.list({ ...request, pageSize: ENTRIES_PER_PAGE }, { signal })
}

/** Reads the newest entries as JSON lines. */
export async function exportEntries(request: {
  readonly orgId: string
  readonly filter: EntryFilter
}): Promise<{ readonly file: Blob; readonly count: number; readonly isCut: boolean }> {
  const parts: string[] = []
  let count = 0
  let pageToken = ''
  do {
    const { jsonLines, nextPageToken } = await auditClient.export({ ...request, pageToken })
    parts.push(jsonLines)
    count += jsonLines.split('\n').length - 1
    pageToken = nextPageToken
  } while (pageToken !== '' && parts.length < EXPORT_PARTS_MAX)
  return { file: new Blob(parts, { type: 'application/jsonl' }), count, isCut: pageToken !== '' }
}
