/** A start that cannot succeed until a person changes something: one line for them, no stack trace, exit code 1. */
export class FatalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FatalError'
  }
}
