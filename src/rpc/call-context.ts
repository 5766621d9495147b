import { createContextKey } from '@connectrpc/connect'
import type { ErrorCode } from '../contract/service-error.ts'
import type { EdgeNotes } from './edge-notes.ts'

/** Id of the request, from the edge. */
export const requestIdKey = createContextKey('', { description: 'request id' })

/** The outcome of a call, for metrics and traces. */
export interface CallOutcome {
  /** A code of Connect, or `ok`. */
  code: ErrorCode | 'ok'
}

/** Receives how the call ended; the server sets an object of its own and reads it afterwards. */
export const outcomeKey = createContextKey<CallOutcome>({ code: 'ok' }, { description: 'outcome' })

/** Notes for the edge of this machine; absent where calls come from elsewhere. */
export const edgeNotesKey = createContextKey<EdgeNotes | undefined>(undefined, { description: 'edge notes' })
