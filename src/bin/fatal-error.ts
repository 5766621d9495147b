/** An error that the operator must fix: printed as one line without a stack trace, with exit code 1. */
export class FatalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FatalError'
  }
}

/** The error of an address that cannot be listened on; `setting` is the common prefix of its settings. */
export function cannotListen(host: string, port: number, setting: string, cause?: unknown): FatalError {
  return new FatalError(
    `cannot listen on ${host}:${port}: the address is in use or not an address of this machine; set ${setting}_PORT or ${setting}_HOST`,
    { cause },
  )
}
