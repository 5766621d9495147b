import { isUtf8 } from 'node:buffer'
import type { FieldViolation } from '../../contract/service-error.ts'
import type { EventColumns, RowContext } from '../encode/event-columns.ts'
import type { Event } from '../event/event.ts'
import { BinaryScanner } from './binary-scanner.ts'
import { decodeBatchBinarySlow } from './binary-slow.ts'
import { JsonScanner } from './json-scanner.ts'
import { decodeBatchJsonSlow } from './json-slow.ts'
import { DecodeError } from './sent-event.ts'

/** The request to decode, and the last step of each row. */
export type DecodeContext = RowContext

/** The outcome of a body. */
export type DecodeVerdict =
  | { readonly ok: true; readonly eventCount: number }
  /** The first violation; `message` names field and problem in one sentence. */
  | { readonly ok: false; readonly violation: FieldViolation; readonly message: string }

interface Scanners {
  readonly json: JsonScanner
  readonly binary: BinaryScanner
}

/** Scanners have caches, which last as long as the columns that they fill. */
const scannersOf = new WeakMap<EventColumns, Scanners>()

/** Larger bodies, which only a raised limit allows, are decoded slowly instead of being copied. */
const SCANNED_BYTES_MAX = 64 * 1024 * 1024

/** Adds the rows of a JSON `BatchCreateRequest`, all or none. */
export function decodeJson(body: Uint8Array, columns: EventColumns, context: DecodeContext): DecodeVerdict {
  const mark = columns.mark()
  if (body.length <= SCANNED_BYTES_MAX && isUtf8(body)) {
    columns.properties.source.load(body)
    const eventCount = scanners(columns).json.scan(body.length, context)
    if (eventCount >= 0) return { ok: true, eventCount }
    columns.rollback(mark)
  }
  return addSlowly(() => decodeBatchJsonSlow(body), columns, context)
}

/** Adds the rows of a protobuf `BatchCreateRequest`, all or none. */
export function decodeBinary(body: Uint8Array, columns: EventColumns, context: DecodeContext): DecodeVerdict {
  const mark = columns.mark()
  if (body.length <= SCANNED_BYTES_MAX) {
    columns.properties.source.load(body)
    const eventCount = scanners(columns).binary.scan(body.length, context)
    if (eventCount >= 0) return { ok: true, eventCount }
    columns.rollback(mark)
  }
  return addSlowly(() => decodeBatchBinarySlow(body), columns, context)
}

function scanners(columns: EventColumns): Scanners {
  const known = scannersOf.get(columns)
  if (known !== undefined) return known
  const created = { json: new JsonScanner(columns), binary: new BinaryScanner(columns) }
  scannersOf.set(columns, created)
  return created
}

/** Decodes a body that the scanner gave up on, or finds the error in it. */
function addSlowly(
  decode: () => readonly Event[],
  columns: EventColumns,
  context: DecodeContext,
): DecodeVerdict {
  try {
    const events = decode()
    for (const event of events) columns.addEvent(event, context)
    return { ok: true, eventCount: events.length }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return { ok: false, violation: error.violation, message: error.message }
  }
}
