/** A file cannot be read. The message names what is wrong with it and a remedy. */
export class UnreadableSource extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableSource'
  }
}

/** Where in a source something was found. */
export interface SourcePlace {
  /** File name within an archive; empty otherwise. */
  readonly entry: string
  /** The line of the last record before it; 0 without one. */
  readonly line: number
}

/** The same error with its place in front; one of the system stays as it is. */
export function locate(error: unknown, { entry, line }: SourcePlace): unknown {
  if (!(error instanceof UnreadableSource)) return error
  const place = [entry, line === 0 ? '' : `after line ${line}`].filter((part) => part !== '').join(', ')
  return place === '' ? error : new UnreadableSource(`${place}: ${error.message}`, { cause: error })
}

/**
 * The error of a part of a source that a library cannot decode, as {@link UnreadableSource}. An error of the system stays as it is: the
 * file may be fine, so that the import can be resumed.
 */
export function asDamaged(part: string, error: unknown): unknown {
  if (error instanceof UnreadableSource || (error instanceof Error && 'syscall' in error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new UnreadableSource(
    `${part} is damaged or cut off (${reason}); get the file again and import it from the start, which counts no event twice`,
    { cause: error },
  )
}
