import { createRequire } from 'node:module'
import { type Logger as PinoLogger, pino } from 'pino'

/** Structured log: one JSON object per line on stderr, readable text on a terminal. */
export type Logger = PinoLogger

/** The levels that `SERVICE_LOG_LEVEL` accepts, most severe first. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields that may hold a credential; their values are logged as `[redacted]`. */
const SECRET_FIELDS = ['password', 'secret', 'token', 'key', 'authorization', 'apiKey', '["x-api-key"]']

/** Creates the logger of one process; every line has its `role`. */
export function createLogger(options: { readonly role: string; readonly level: LogLevel }): Logger {
  const isTerminal = process.stderr.isTTY === true
  const destination = isTerminal ? openTerminal() : pino.destination({ dest: 2, sync: true })
  return pino(
    {
      level: options.level,
      base: { role: options.role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) =>
          field.startsWith('[') ? [field, `*${field}`] : [field, `*.${field}`],
        ),
        censor: '[redacted]',
      },
    },
    destination,
  )
}

/** Loads the package only here: four threads of a service write to no terminal. */
function openTerminal(): NodeJS.WritableStream {
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', colorize: true })
}
