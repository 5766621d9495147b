import type { TimeZone } from '../../domain/insights/time-zone.ts'
import type { Progress } from '../progress.ts'
import { sendBatch, toBatches } from '../send/send-events.ts'
import { IdentifySender, type OutgoingIdentify } from '../send/send-identifies.ts'
import type { ServiceClient } from '../send/service-client.ts'
import { guessFormat, hasRows } from './detect-format.ts'
import type { ImportCounts } from './import-state.ts'
import { RejectedRecord } from './imported.ts'
import { type MapContext, mapRecord, newMapContext } from './map-record.ts'
import type { SourceRecord } from './read-records.ts'
import { UnreadableSource } from './unreadable-source.ts'

/** Dependencies of an import. */
export interface ImportPorts {
  /** Absent in a dry run: nothing is sent, and every valid event counts as accepted. */
  readonly client: ServiceClient | undefined
  readonly progress: Progress
  /** Time zone of a Mixpanel export. */
  readonly timeZone?: TimeZone | undefined
  readonly onRejected: (record: SourceRecord, reason: string) => void
  /** Called when all records included in the counts are sent or rejected. */
  readonly onDone: (counts: ImportCounts) => void
}

/** Records that are sent together, as several concurrent batches, while the next window is read. */
const WINDOW_RECORDS = 4000
const WINDOW_BYTES = 16 * 1024 * 1024
const IDENTIFIES_AT_ONCE = 8

/** Maximum concurrent batches or Identify calls. */
export const IMPORT_CONNECTIONS = 8

interface WindowEvent {
  readonly text: string
  readonly record: SourceRecord
}

interface Window {
  readonly events: WindowEvent[]
  readonly identifies: { readonly identify: OutgoingIdentify; readonly record: SourceRecord }[]
  readonly rejected: { readonly record: SourceRecord; readonly reason: string }[]
  read: number
  identifyOnly: number
  propertiesDropped: number
  bytes: number
}

/**
 * Sends the records of a source in order, except that the batches of a window are concurrent. An earlier run has sent the
 * first `before.read` records: these are read again, because sessions of later records depend on them, but not sent.
 */
export async function importRecords(
  records: AsyncIterable<SourceRecord>,
  before: ImportCounts,
  ports: ImportPorts,
): Promise<ImportCounts> {
  const context = newMapContext(ports.timeZone)
  const identifier = new IdentifySender(ports.client)
  let counts = before
  let window = emptyWindow()
  let sending: Promise<void> = Promise.resolve()
  let number = 0
  const flush = async (): Promise<void> => {
    const full = window
    window = emptyWindow()
    await sending
    if (counts.read === 0) requireFormat(full)
    sending = sendWindow(full, { ports, identifier }).then((sent) => {
      counts = addCounts(counts, sent)
      ports.onDone(counts)
      ports.progress.add(full.read)
    })
    // The next flush awaits it; until then, a rejection must not count as unhandled.
    sending.catch(() => undefined)
  }
  try {
    for await (const record of records) {
      number++
      addRecord(number > before.read ? window : emptyWindow(), { record, context, identifier })
      if (window.read === WINDOW_RECORDS || window.bytes > WINDOW_BYTES) await flush()
    }
  } catch (error) {
    // The records before the damage are imported.
    if (error instanceof UnreadableSource) await flush()
    await sending
    throw error
  }
  await flush()
  await sending
  return counts
}

/** Throws {@link UnreadableSource} when all records of the first window are of another format than the one to read. */
function requireFormat({ read, rejected: [first, ...others] }: Window): void {
  if (first === undefined || others.length + 1 < read) return
  const { format, line, text } = first.record
  const guess = hasRows(format) ? undefined : guessFormat(text)
  if (guess === undefined || guess === format) return
  throw new UnreadableSource(
    `none of the first ${read} records is of the format ${format} (line ${line}: ${first.reason}); the file looks like ${guess}: set --format ${guess}, or none`,
  )
}

function addRecord(
  window: Window,
  {
    record,
    context,
    identifier,
  }: {
    readonly record: SourceRecord
    readonly context: MapContext
    readonly identifier: IdentifySender
  },
): void {
  window.read++
  window.bytes += record.text.length
  try {
    const { event, identify, propertiesDropped } = mapRecord(record, context)
    window.propertiesDropped += propertiesDropped
    if (event === undefined) window.identifyOnly++
    else window.events.push({ text: event, record })
    if (identify && identifier.isNew(identify)) window.identifies.push({ identify, record })
  } catch (error) {
    if (!(error instanceof RejectedRecord)) throw error
    window.rejected.push({ record, reason: error.message })
  }
}

async function sendWindow(
  window: Window,
  { ports, identifier }: { readonly ports: ImportPorts; readonly identifier: IdentifySender },
): Promise<ImportCounts> {
  const { client } = ports
  const rejected = [...window.rejected]
  const reject = ({ record }: { readonly record: SourceRecord }, reason: string): void => {
    rejected.push({ record, reason })
  }
  const sent = await Promise.all(
    toBatches(window.events).map(async (batch) =>
      client ? await sendBatch(client, batch, reject) : batch.length,
    ),
  )
  const rejectedIdentifies = await sendIdentifies(window, identifier, reject)
  rejected.sort((left, right) => left.record.line - right.record.line)
  for (const { record, reason } of rejected) ports.onRejected(record, reason)
  return {
    read: window.read,
    accepted: sent.reduce((sum, count) => sum + count, 0),
    identifyOnly: window.identifyOnly,
    identified: window.identifies.length - rejectedIdentifies,
    propertiesDropped: window.propertiesDropped,
    rejected: countReasons(rejected.map(({ reason }) => reason)),
  }
}

/** Calls for the same user are sequential, so that the later value of a trait wins. */
async function sendIdentifies(
  { identifies }: Window,
  identifier: IdentifySender,
  reject: (of: { readonly record: SourceRecord }, reason: string) => void,
): Promise<number> {
  const byUser = Map.groupBy(identifies, ({ identify }) => identify.externalId)
  const lanes = [...byUser.values()].values()
  let rejectedCount = 0
  const work = async (): Promise<void> => {
    for (const lane of lanes) {
      for (const { identify, record } of lane) {
        const reason = await identifier.send(identify)
        if (reason === undefined) continue
        rejectedCount++
        reject({ record }, `Identify: ${reason}`)
      }
    }
  }
  await Promise.all(Array.from({ length: IDENTIFIES_AT_ONCE }, work))
  return rejectedCount
}

function emptyWindow(): Window {
  return {
    events: [],
    identifies: [],
    rejected: [],
    read: 0,
    identifyOnly: 0,
    propertiesDropped: 0,
    bytes: 0,
  }
}

function addCounts(left: ImportCounts, right: ImportCounts): ImportCounts {
  const reasons = new Set([...Object.keys(left.rejected), ...Object.keys(right.rejected)])
  return {
    read: left.read + right.read,
    accepted: left.accepted + right.accepted,
    identifyOnly: left.identifyOnly + right.identifyOnly,
    identified: left.identified + right.identified,
    propertiesDropped: left.propertiesDropped + right.propertiesDropped,
    rejected: Object.fromEntries(
      [...reasons].map((reason) => [reason, (left.rejected[reason] ?? 0) + (right.rejected[reason] ?? 0)]),
    ),
  }
}

/** Counts reasons that differ only in a property key as one. */
function countReasons(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) {
    const alike = reason.replaceAll(/\["(?:[^"\\]|\\.)*"\]/g, '[…]')
    counts[alike] = (counts[alike] ?? 0) + 1
  }
  return counts
}
