import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { parseRfc3339 } from '../../pipeline/decode/rfc3339.ts'
import { FatalError } from '../environment/fatal-error.ts'

/** Parses the arguments of a command. Throws {@link FatalError} on an unknown option. */
export function readWords<O extends ParseArgsOptionsConfig>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options })
  } catch (error) {
    throw new FatalError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Throws {@link FatalError} on surplus arguments. */
export function expectNoMore(words: readonly string[]): void {
  if (words.length > 0) throw new FatalError(`unexpected argument ${words[0]}; see --help`)
}

/** An instant in RFC 3339, or a date, which is its start in UTC. Throws {@link FatalError}. */
export function readInstant(text: string, option: string): number {
  const ms = parseRfc3339(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
  if (ms === undefined)
    throw new FatalError(`--${option} must be a date such as 2026-01-31, or an RFC 3339 time`)
  return ms
}

/** A whole number in a range. Throws {@link FatalError}. */
export function readCount(
  text: string,
  { option, min, max }: { readonly option: string; readonly min: number; readonly max: number },
): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  throw new FatalError(`--${option} must be a whole number from ${min} to ${max}`)
}

const MESSAGE_LENGTH_MAX = 400

/** The message of an error, cut for a terminal: ClickHouse repeats the whole statement, and adds its stack trace to some. */
export function describeError(error: unknown): string {
  const whole = error instanceof Error ? error.message : String(error)
  const message = whole.replace(/,? Stack trace \(when copying.*/s, '')
  return message.length > MESSAGE_LENGTH_MAX ? `${message.slice(0, MESSAGE_LENGTH_MAX)}…` : message
}

/** Aborts on SIGINT and SIGTERM. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new FatalError(`interrupted by ${signal}`)))
  }
  return controller.signal
}
