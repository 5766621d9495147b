import type { EngineExit } from './child.ts'
import { EXIT_LOCKED } from './child-input.ts'
import type { EngineAnswer } from './readiness.ts'

/** Why an engine did not start. */
export type EngineStartReason =
  | 'data_folder_locked'
  | 'not_writable'
  | 'port_in_use'
  | 'unsupported_platform'
  | 'failed'

/** The engine did not start; the message is one line that names the remedy. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError'
  readonly reason: EngineStartReason

  constructor(reason: EngineStartReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** What a message about a failed start names. */
export type AttemptFacts = {
  readonly dataFolder: string
  readonly logFolder: string
  readonly httpPort: number
}

/** Why a process ended before its engine answered. */
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

/** The error for a port that something else listens on. */
export function explainPort(port: number): EngineStartError {
  return new EngineStartError('port_in_use', `port ${port} of 127.0.0.1 is taken: free it or choose another`)
}

/** Why what listens on the port does not serve its own administrator. */
export function explainRefusal(refusal: {
  readonly sql: string
  readonly answer: EngineAnswer
  readonly url: string
}): EngineStartError {
  const { status, body } = refusal.answer
  // An engine always knows its own passwords: another one has taken the port in the meantime.
  if (status === 401 || status === 403) return explainPort(Number(new URL(refusal.url).port))
  return new EngineStartError('failed', `embedded ClickHouse refused "${refusal.sql}": ${firstLine(body)}`)
}

function firstLine(text: string): string {
  const lines = text.split('\n')
  return lines.find((line) => line.startsWith('Code:')) ?? lines[0] ?? ''
}
