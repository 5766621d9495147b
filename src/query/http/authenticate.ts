import type { Caller } from '../../access/caller.ts'

/** A call before its body is read. */
export interface CallToAuthenticate {
  /** Full name of the service. */
  readonly service: string
  readonly method: string
  readonly headers: Headers
  /** The endpoint that makes the call for its caller: tokens may be for it only. */
  readonly audience?: 'mcp' | undefined
}

/** Authenticates a caller by the headers. Throws `ServiceError`. */
export type Authenticate = (call: CallToAuthenticate) => Promise<Caller>
