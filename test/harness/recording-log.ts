import { createLogger, type Logger } from '../../src/kernel/log.ts'

/** A line that was logged. */
export interface LogLine {
  readonly level: string
  /** An error is its stack and its fields, its causes included. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A log that keeps its lines of the levels info, warn and error. */
export function recordingLog(lines: LogLine[]): Logger {
  const log = createLogger({ role: 'test', level: 'silent' })
  const keep = (level: string) => (fields: Record<string, unknown>, message: string) => {
    const { err } = fields
    lines.push({ level, fields: err instanceof Error ? { ...fields, err: textOf(err) } : fields, message })
  }
  return Object.assign(log, { info: keep('info'), warn: keep('warn'), error: keep('error') })
}

function textOf(error: Error): string {
  const cause = error.cause instanceof Error ? ` ${textOf(error.cause)}` : ''
  return `${error.stack} ${JSON.stringify(error)}${cause}`
}
