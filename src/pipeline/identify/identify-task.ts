import type { ProjectId } from '../../contract/ids.ts'
import type { ErrorCode, ErrorReason, FieldViolation } from '../../contract/service-error.ts'
import { machineMs } from '../../kernel/clock.ts'
import type { Coding } from '../../rpc/coding.ts'
import { decompress } from '../../rpc/compression.ts'
import type { Codec } from '../../rpc/content-type.ts'
import { identifyRow } from './identify-row.ts'
import { isUnmergeable, type RecentClaims } from './merge-guards.ts'
import { parseIdentify } from './parse-identify.ts'

/** One Identify call, as the edge hands it over. Plain data: it travels to a worker. */
export interface IdentifyCall {
  readonly projectId: ProjectId
  readonly codec: Codec
  /** How `bytes` are compressed. */
  readonly coding: Coding
  /** The message as it was sent. */
  readonly bytes: Uint8Array
  /** See `IdentifyContext`. */
  readonly receivedMicros: number
  /** When its client gives up, in `machineMs`: it is refused from then on. */
  readonly deadlineMs?: number | undefined
}

/** What became of a call. */
export type IdentifyOutcome =
  | { readonly isAccepted: true }
  | {
      readonly isAccepted: false
      readonly code: ErrorCode
      readonly reason: ErrorReason
      readonly message: string
      readonly violation?: FieldViolation
    }

/** What a worker answers to calls: an outcome each, in order, and the rows of those that were accepted. */
export interface IdentifyResult {
  readonly outcomes: readonly IdentifyOutcome[]
  /** Lines of `FORMAT JSONEachRow`. */
  readonly rows: string
  readonly rowCount: number
  /** Calls that would have merged somebody's activity into an id that cannot be one person's. */
  readonly unmergedCount: number
  /** Calls that claimed an anonymous id of somebody else, which changes nothing. */
  readonly lateClaimCount: number
}

/** Nobody waits for it any more: it is either refused and not stored, or stored and not refused. */
const LATE: IdentifyOutcome = {
  isAccepted: false,
  code: 'deadline_exceeded',
  reason: 'DEADLINE_EXCEEDED',
  message: 'the call took longer than its timeout',
}

/** Reads and checks calls and turns them into rows. */
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
      outcomes.push(refused(identification.error))
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

function refused(violation: FieldViolation): IdentifyOutcome {
  const message = `${violation.field === '' ? 'the body' : violation.field} ${violation.description}`
  return { isAccepted: false, code: 'invalid_argument', reason: 'INVALID_REQUEST', message, violation }
}
