import { type IngestionWarning, WarningsService } from '@contract/millrace/ingest/v1/warnings_service_pb.js'
import { clientOf } from '../../rpc/client.ts'
import { EFFECTS } from './warnings.ts'

const warningsClient = clientOf(WarningsService)

/** Warnings on a page of the list. */
export const WARNINGS_PER_PAGE = 100

/** The warnings to list. */
export interface WarningsQuery {
  /** Empty for any. */
  readonly source: string
  /** Empty for any. */
  readonly effect: string
  readonly hours: number
  readonly pageToken: string
}

/** Reads a page of the list. */
export async function readWarnings(
  { source, effect, hours, pageToken }: WarningsQuery,
  signal: AbortSignal,
): Promise<{
  readonly warnings: readonly IngestionWarning[]
  readonly nextPageToken: string
  readonly totalCount: number
}> {
  const effects = EFFECTS.filter(({ value }) => value === effect).map((one) => one.effect)
  const dialects = source === '' ? [] : [source]
  return await warningsClient.list(
    { hours, dialects, effects, pageSize: WARNINGS_PER_PAGE, pageToken },
    { signal },
  )
}
