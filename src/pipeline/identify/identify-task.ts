import type { ProjectId } from '../../contract/ids.ts'
import type { ErrorCode, ErrorReason, FieldViolation } from '../../contract/service-error.ts'
import { machineMs } from '../../kernel/clock.ts'
import type { Coding } from '../../rpc/coding.ts'
import { decompress } from '../../rpc/compression.ts'
import type { Codec } from '../../rpc/content-type.ts'
import { identifyRow } from './identify-row.ts'
import { isUnmergeable, type RecentClaims } from './merge-guards.ts'
import { parseIdentify } from './parse-identify.ts'

/** One Identify call. Plain data: it is sent to a worker. */
export interface IdentifyCall {
  readonly projectId: ProjectId
  readonly codec: Codec
  /** Compression of `bytes`. */
  readonly coding: Coding
  /** The message as it was sent. */
  readonly bytes: Uint8Array
  /** See `IdentifyContext`. */
  readonly receivedMicros: number
  /** Deadline, in `machineMs`: the call is rejected from then on. */
  readonly deadlineMs?: number | undefined
}

/** The outcome of a call. */
export type IdentifyOutcome =
  | { readonly isAccepted: true }
  | {
      readonly isAccepted: false
      readonly code: ErrorCode
      readonly reason: ErrorReason
      readonly message: string
      readonly violation?: FieldViolation
    }

/** A worker's result: an outcome for each call, in order, and the rows of the accepted ones. */
export interface IdentifyResult {
  readonly outcomes: readonly IdentifyOutcome[]
  /** Lines of `FORMAT JSONEachRow`. */
  readonly rows: string
  readonly rowCount: number
  /** Calls that merged nothing because their external id is a placeholder. */
  readonly unmergedCount: number
  /** Calls with an anonymous id that another external id has claimed: they change nothing. */
  readonly lateClaimCount: number
}

/** The client has given up: the call is either rejected and not stored, or stored and not rejected. */
const LATE: IdentifyOutcome = {
  isAccepted: false,
  code: 'deadline_exceeded',
  reason: 'DEADLINE_EXCEEDED',
  message: 'the call took longer than its timeout',
}

/** Parses and validates calls and makes their rows. */
export function processIdentifies(
  calls: readonly IdentifyCall[],
  { bodyBytesMax, claims }: { readonly bodyBytesMax: number; readonly claims: RecentClaims },
): IdentifyResult {
  const outcomes: IdentifyOutcome[] = []
  const rows: string[] = []
  let unmergedCount = 0
  let lateClaimCount = 0
  for (const call of calls) {
    const message = decompress(Buffer.from(call.bytes), call.coding, { bytesMax: bodyBytesMax })
    if (!message.ok) {
      const { code, reason, message: text } = message.error
      outcomes.push({ isAccepted: false, code, reason, message: text })
      continue
    }
    const identification = parseIdentify(call.codec, message.value)
    if (!identification.ok) {
      outcomes.push(rejected(identification.error))
      continue
    }
    if (call.deadlineMs !== undefined && machineMs() >= call.deadlineMs) {
      outcomes.push(LATE)
      continue
    }
    const { externalId, anonymousId } = identification.value
    if (anonymousId !== '') {
      if (isUnmergeable(externalId)) unmergedCount++
      else if (claims.isTaken(call.projectId, anonymousId, externalId)) lateClaimCount++
    }
    rows.push(identifyRow(identification.value, call))
    outcomes.push({ isAccepted: true })
  }
  return { outcomes, rows: rows.join(''), rowCount: rows.length, unmergedCount, lateClaimCount }
}

function rejected(violation: FieldViolation): IdentifyOutcome {
  const message = `${violation.field === '' ? 'the body' : violation.field} ${violation.description}`
  return { isAccepted: false, code: 'invalid_argument', reason: 'INVALID_REQUEST', message, violation }
}
