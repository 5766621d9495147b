import type { TimeZone } from '../../domain/insights/time-zone.ts'
import { decodeBatchJsonSlow } from '../../pipeline/decode/json-slow.ts'
import { DecodeError } from '../../pipeline/decode/sent-event.ts'
import { isObject, type SourceObject } from '../../pipeline/dialects/foreign/foreign-value.ts'
import type { ImportFormat } from './detect-format.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import { readAmplitude } from './read-amplitude.ts'
import { readGa4 } from './read-ga4.ts'
import { readMixpanel } from './read-mixpanel.ts'
import { readOwnCsv, readOwnJson } from './read-own.ts'
import { readPosthog } from './read-posthog.ts'
import type { SourceRecord } from './read-records.ts'
import { readSegment } from './read-segment.ts'
import { readUmami } from './read-umami.ts'
import { SessionFinder } from './session-finder.ts'
import { TraitSnapshots } from './trait-snapshots.ts'
import { UmamiData } from './umami-data.ts'

/** State of an import that the conversion of a record depends on. */
export interface MapContext {
  readonly sessions: SessionFinder
  readonly snapshots: TraitSnapshots
  readonly umamiData: UmamiData
  /** Time zone of a Mixpanel export; UTC when absent. */
  readonly timeZone?: TimeZone | undefined
}

/** The state of an import that begins. */
export function newMapContext(timeZone?: TimeZone): MapContext {
  return {
    sessions: new SessionFinder(),
    snapshots: new TraitSnapshots(),
    umamiData: new UmamiData(),
    timeZone,
  }
}

type Read = (record: SourceObject, text: string, context: MapContext) => Imported

const READERS = {
  jsonl: (record, text, { sessions }) => readOwnJson(record, text, sessions),
  posthog: (record, _, { sessions }) => readPosthog(record, sessions),
  mixpanel: (record, _, context) => readMixpanel(record, context),
  amplitude: (record, _, context) => readAmplitude(record, context),
  segment: (record, _, { sessions }) => readSegment(record, sessions),
  ga4: (record, _, { sessions }) => readGa4(record, sessions),
} as const satisfies Record<Exclude<ImportFormat, 'csv' | 'umami'>, Read>

/** Converts a record into messages that pass the service's validation. Throws {@link RejectedRecord}. */
export function mapRecord(record: SourceRecord, context: MapContext): Imported {
  if (record.problem !== undefined) throw new RejectedRecord(record.problem)
  const imported = read(record, context)
  if (imported.event !== undefined) checkEvent(imported.event)
  return imported
}

function read(record: SourceRecord, context: MapContext): Imported {
  if (record.format === 'csv') return readOwnCsv(record.row ?? {}, context.sessions)
  if (record.format === 'umami') return readUmami(record, context)
  return READERS[record.format](parseObject(record), record.text, context)
}

function parseObject({ text, isLast }: SourceRecord): SourceObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const isCut = isLast ? ', and the file ends within it: the file may be cut off' : ''
    throw new RejectedRecord(`the record is not valid JSON${isCut}`)
  }
  if (isObject(value)) return value
  throw new RejectedRecord('the record is not a JSON object')
}

/** The service rejects a batch as a whole, so invalid events must be found before sending. */
function checkEvent(text: string): void {
  try {
    const [event, second] = decodeBatchJsonSlow(Buffer.from(`{"events":[${text}]}`))
    if (event !== undefined && second === undefined) return
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new RejectedRecord(error.message.replace(/^events\[0\]\.?/, ''))
  }
  throw new RejectedRecord('the record is not a JSON object')
}
