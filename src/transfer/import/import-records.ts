import type { TimeZone } from '../../query/spec/time-zone.ts'
import type { Progress } from '../progress.ts'
import { sendBatch, toBatches } from '../send/send-events.ts'
import { IdentifySender, type OutgoingIdentify } from '../send/send-identifies.ts'
import type { ServiceClient } from '../send/service-client.ts'
import type { ImportCounts } from './import-state.ts'
import { RejectedRecord } from './imported.ts'
import { type MapContext, mapRecord } from './map-record.ts'
import type { SourceRecord } from './read-records.ts'
import { SessionFinder } from './session-finder.ts'

/** What an import works with. */
export interface ImportPorts {
  /** Absent: nothing is sent, and what would be is counted as taken. */
  readonly client: ServiceClient | undefined
  readonly progress: Progress
  /** The zone in which times of a Mixpanel export are. */
  readonly timeZone?: TimeZone | undefined
  readonly onRejected: (record: SourceRecord, reason: string) => void
  /** Called when everything up to the counts is done for good. */
  readonly onDone: (counts: ImportCounts) => void
}

/** Records whose events are sent together: several batches at once, while the next window is read. */
const WINDOW_RECORDS = 4000
const WINDOW_BYTES = 16 * 1024 * 1024
const IDENTIFIES_AT_ONCE = 8

/** Batches that are sent at once, and calls that say who somebody is. */
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
  aboutPeople: number
  leftOut: number
  bytes: number
}

/**
 * Sends the records of a source, in their order but for events that are on their way together. The first `before.read`
 * records were done by an earlier run: they are read, since later ones depend on them, and not sent.
 */
export async function importRecords(
  records: AsyncIterable<SourceRecord>,
  before: ImportCounts,
  ports: ImportPorts,
): Promise<ImportCounts> {
  const context: MapContext = { sessions: new SessionFinder(), timeZone: ports.timeZone }
  const people = new IdentifySender(ports.client)
  let counts = before
  let window = emptyWindow()
  let sending: Promise<void> = Promise.resolve()
  let number = 0
  const flush = async (): Promise<void> => {
    const full = window
    window = emptyWindow()
    await sending
    sending = sendWindow(full, { ports, people }).then((sent) => {
      counts = addCounts(counts, sent)
      ports.onDone(counts)
      ports.progress.add(full.read)
    })
    // It is awaited before the next window is sent; until then nobody may look.
    sending.catch(() => undefined)
  }
  for await (const record of records) {
    number++
    addRecord(number > before.read ? window : emptyWindow(), { record, context, people })
    if (window.read === WINDOW_RECORDS || window.bytes > WINDOW_BYTES) await flush()
  }
  await flush()
  await sending
  return counts
}

function addRecord(
  window: Window,
  {
    record,
    context,
    people,
  }: {
    readonly record: SourceRecord
    readonly context: MapContext
    readonly people: IdentifySender
  },
): void {
  window.read++
  window.bytes += record.text.length
  try {
    const { event, identify, leftOut } = mapRecord(record, context)
    window.leftOut += leftOut
    if (event === undefined) window.aboutPeople++
    else window.events.push({ text: event, record })
    if (identify && people.isNew(identify)) window.identifies.push({ identify, record })
  } catch (error) {
    if (!(error instanceof RejectedRecord)) throw error
    window.rejected.push({ record, reason: error.message })
  }
}

async function sendWindow(
  window: Window,
  { ports, people }: { readonly ports: ImportPorts; readonly people: IdentifySender },
): Promise<ImportCounts> {
  const { client } = ports
  const refused = [...window.rejected]
  const refuse = ({ record }: { readonly record: SourceRecord }, reason: string): void => {
    refused.push({ record, reason })
  }
  const sent = await Promise.all(
    toBatches(window.events).map(async (batch) =>
      client ? await sendBatch(client, batch, refuse) : batch.length,
    ),
  )
  const refusedIdentifies = await sendIdentifies(window, people, refuse)
  refused.sort((left, right) => left.record.line - right.record.line)
  for (const { record, reason } of refused) ports.onRejected(record, reason)
  return {
    read: window.read,
    taken: sent.reduce((sum, count) => sum + count, 0),
    aboutPeople: window.aboutPeople,
    identified: window.identifies.length - refusedIdentifies,
    leftOut: window.leftOut,
    rejected: countReasons(refused.map(({ reason }) => reason)),
  }
}

/** Calls about the same person follow each other: of two values of a trait the later one stays. */
async function sendIdentifies(
  { identifies }: Window,
  people: IdentifySender,
  refuse: (of: { readonly record: SourceRecord }, reason: string) => void,
): Promise<number> {
  const ofPerson = Map.groupBy(identifies, ({ identify }) => identify.externalId)
  const lanes = [...ofPerson.values()].values()
  let refusedCount = 0
  const work = async (): Promise<void> => {
    for (const lane of lanes) {
      for (const { identify, record } of lane) {
        const reason = await people.send(identify)
        if (reason === undefined) continue
        refusedCount++
        refuse({ record }, `Identify: ${reason}`)
      }
    }
  }
  await Promise.all(Array.from({ length: IDENTIFIES_AT_ONCE }, work))
  return refusedCount
}

function emptyWindow(): Window {
  return { events: [], identifies: [], rejected: [], read: 0, aboutPeople: 0, leftOut: 0, bytes: 0 }
}

function addCounts(left: ImportCounts, right: ImportCounts): ImportCounts {
  const reasons = new Set([...Object.keys(left.rejected), ...Object.keys(right.rejected)])
  return {
    read: left.read + right.read,
    taken: left.taken + right.taken,
    aboutPeople: left.aboutPeople + right.aboutPeople,
    identified: left.identified + right.identified,
    leftOut: left.leftOut + right.leftOut,
    rejected: Object.fromEntries(
      [...reasons].map((reason) => [reason, (left.rejected[reason] ?? 0) + (right.rejected[reason] ?? 0)]),
    ),
  }
}

/** Reasons that differ only in the key of a property are one. */
function countReasons(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) {
    const alike = reason.replaceAll(/\["(?:[^"\\]|\\.)*"\]/g, '[…]')
    counts[alike] = (counts[alike] ?? 0) + 1
  }
  return counts
}
