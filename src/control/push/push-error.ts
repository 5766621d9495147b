/** The push service will not take anything for this project: what its owner has to put right. */
export class PushRefusedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PushRefusedError'
  }
}

/** The push service does not take anything now. */
export class PushUnavailableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PushUnavailableError'
  }
}
