/** A start that cannot succeed until a person changes something: one line for them, no stack trace, exit code 1. */
export class FatalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FatalError'
  }
}

/** The error of an address that cannot be listened on; `setting` is the common part of the names that choose it. */
export function cannotListen(host: string, port: number, setting: string, cause?: unknown): FatalError {
  return new FatalError(
    `cannot listen on ${host}:${port}: the address is in use or not an address of this machine; set ${setting}_PORT or ${setting}_HOST`,
    { cause },
  )
}
