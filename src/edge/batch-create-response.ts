import type { Outcome } from '../pipeline/task.ts'
import type { Codec } from '../rpc/content-type.ts'

/** Outcome of a batch. */
export type BatchResult = Extract<Outcome, { readonly accepted: number }>

/** Tags of `BatchCreateResponse`: accepted 1, dropped 2, dropped_by_reason 3 (key 1, value 2). */
const ACCEPTED_TAG = 0x08
const DROPPED_TAG = 0x10
const REASON_TAG = 0x1a
const REASON_KEY_TAG = 0x0a
const REASON_VALUE_TAG = 0x10

const NO_BYTES = new Uint8Array(0)

/** A `BatchCreateResponse` in the codec of the call; written by hand because every ingestion request ends here. */
export function encodeBatchCreateResponse(codec: Codec, result: BatchResult): string | Uint8Array {
  const { accepted, droppedByReason } = result
  if (droppedByReason)
    return codec === 'json' ? dropsAsJson(accepted, droppedByReason) : dropsAsProto(accepted, droppedByReason)
  if (accepted === 0) return codec === 'json' ? '{}' : NO_BYTES
  return codec === 'json' ? `{"accepted":${accepted}}` : Uint8Array.from([ACCEPTED_TAG, ...varint(accepted)])
}

type Drops = NonNullable<BatchResult['droppedByReason']>

function countOf(drops: Drops): number {
  return Object.values(drops).reduce((sum, count) => sum + count, 0)
}

function dropsAsJson(accepted: number, droppedByReason: Drops): string {
  return JSON.stringify({
    ...(accepted === 0 ? {} : { accepted }),
    dropped: countOf(droppedByReason),
    droppedByReason,
  })
}

function dropsAsProto(accepted: number, droppedByReason: Drops): Uint8Array {
  const bytes = accepted === 0 ? [] : [ACCEPTED_TAG, ...varint(accepted)]
  bytes.push(DROPPED_TAG, ...varint(countOf(droppedByReason)))
  for (const [reason, count] of Object.entries(droppedByReason)) {
    const entry = [REASON_KEY_TAG, reason.length, ...Buffer.from(reason), REASON_VALUE_TAG, ...varint(count)]
    bytes.push(REASON_TAG, ...varint(entry.length), ...entry)
  }
  return Uint8Array.from(bytes)
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return bytes
}
