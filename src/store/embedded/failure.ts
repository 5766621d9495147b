import type { EngineExit } from './child.ts'
import { EXIT_LOCKED } from './child-input.ts'
import type { EngineAnswer } from './readiness.ts'

/** The reason why an engine did not start. */
export type EngineStartReason =
  | 'data_folder_locked'
  | 'not_writable'
  | 'port_in_use'
  | 'unsupported_platform'
  | 'failed'

/** A failed engine start; the message is one line that contains the remedy. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError'
  readonly reason: EngineStartReason

  constructor(reason: EngineStartReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Facts quoted in messages about a failed start. */
export type AttemptFacts = {
  readonly dataFolder: string
  readonly logFolder: string
  readonly httpPort: number
}

/** The error for a process that ended before its engine answered. */
export function explainExit(exit: EngineExit, attempt: AttemptFacts): EngineStartError {
  if (exit.code === EXIT_LOCKED || exit.message.includes('Cannot lock file')) {
    const remedy = 'stop that one, or give this one another SERVICE_DATA_DIR'
    return new EngineStartError(
      'data_folder_locked',
      `${attempt.dataFolder} belongs to a running engine: ${remedy}`,
    )
  }
  if (/Address already in use|NETWORK_ERROR/.test(exit.message)) return explainPort(attempt.httpPort)
  if (exit.signal === 'SIGILL') {
    const remedy = 'set SERVICE_CLICKHOUSE_URL to a ClickHouse server instead'
    return new EngineStartError('unsupported_platform', `embedded ClickHouse needs a newer CPU: ${remedy}`)
  }
  const how = exit.signal ?? (firstLine(exit.message) || `code ${exit.code}`)
  return new EngineStartError(
    'failed',
    `embedded ClickHouse ended at start: ${how}; see ${attempt.logFolder}`,
  )
}

/** The error for a port that is already in use. */
export function explainPort(port: number): EngineStartError {
  return new EngineStartError('port_in_use', `port ${port} of 127.0.0.1 is taken: free it or choose another`)
}

/** The error for a server on the port that rejects its own administrator. */
export function explainRefusal(refusal: {
  readonly sql: string
  readonly answer: EngineAnswer
  readonly url: string
}): EngineStartError {
  const { status, body } = refusal.answer
  // The engine always accepts its own passwords: another server has taken the port in the meantime.
  if (status === 401 || status === 403) return explainPort(Number(new URL(refusal.url).port))
  return new EngineStartError('failed', `embedded ClickHouse refused "${refusal.sql}": ${firstLine(body)}`)
}

function firstLine(text: string): string {
  const lines = text.split('\n')
  return lines.find((line) => line.startsWith('Code:')) ?? lines[0] ?? ''
}
