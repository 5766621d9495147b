import { decodeBatchJsonSlow } from '../../pipeline/decode/json-slow.ts'
import { DecodeError } from '../../pipeline/decode/sent-event.ts'
import type { TimeZone } from '../../query/spec/time-zone.ts'
import type { ImportFormat } from './detect-format.ts'
import { type Imported, isObject, RejectedRecord, type SourceObject } from './imported.ts'
import { readAmplitude } from './read-amplitude.ts'
import { readMixpanel } from './read-mixpanel.ts'
import { readOwnCsv, readOwnJson } from './read-own.ts'
import { readPosthog } from './read-posthog.ts'
import type { SourceRecord } from './read-records.ts'
import type { SessionFinder } from './session-finder.ts'

/** What records of a source depend on beside themselves. */
export interface MapContext {
  readonly sessions: SessionFinder
  /** The zone in which times of a Mixpanel export are; absent: UTC. */
  readonly timeZone?: TimeZone | undefined
}

type Read = (record: SourceObject, text: string, context: MapContext) => Imported

const READERS = {
  jsonl: (record, text, { sessions }) => readOwnJson(record, text, sessions),
  posthog: (record, _, { sessions }) => readPosthog(record, sessions),
  mixpanel: (record, _, context) => readMixpanel(record, context),
  amplitude: (record, _, { sessions }) => readAmplitude(record, sessions),
} as const satisfies Record<Exclude<ImportFormat, 'csv'>, Read>

/** Turns a record into what is sent, which obeys every rule of an event. Throws {@link RejectedRecord}. */
export function mapRecord(record: SourceRecord, context: MapContext): Imported {
  if (record.problem !== undefined) throw new RejectedRecord(record.problem)
  const imported = read(record, context)
  if (imported.event !== undefined) checkEvent(imported.event)
  return imported
}

function read(record: SourceRecord, context: MapContext): Imported {
  if (record.format === 'csv') return readOwnCsv(record.row ?? {}, context.sessions)
  return READERS[record.format](parseObject(record.text), record.text, context)
}

function parseObject(text: string): SourceObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new RejectedRecord('the record is no JSON')
  }
  if (isObject(value)) return value
  throw new RejectedRecord('the record is no JSON object')
}

/** The service refuses a batch as a whole: what it would refuse has to be found before. */
function checkEvent(text: string): void {
  try {
    const [event, second] = decodeBatchJsonSlow(Buffer.from(`{"events":[${text}]}`))
    if (event !== undefined && second === undefined) return
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new RejectedRecord(error.message.replace(/^events\[0\]\.?/, ''))
  }
  throw new RejectedRecord('the record is no JSON object')
}
