import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { LOG_LEVELS } from './log.ts'
import { err, ok, type Result } from './result.ts'

/** How the text of one setting becomes a value, and what to say when it does not. */
interface Parser<T> {
  readonly accepts: string
  parse(text: string): T | undefined
}

interface Setting<T> {
  readonly name: string
  readonly parser: Parser<T>
  /** The value when the variable is absent or empty. */
  readonly fallback: () => T
  /** The fallback as the documentation shows it. */
  readonly fallbackText: string
  readonly meaning: string
  /** Never printed. */
  readonly secret?: true
}

/** The roles that one invocation can run, in the order in which they start. */
export const ROLES = ['store', 'query', 'edge'] as const

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number]

const text = (accepts: string, pattern: RegExp): Parser<string> => ({
  accepts,
  parse: (value) => (pattern.test(value) ? value : undefined),
})

const wholeNumber = (min: number, max: number): Parser<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  parse: (value) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : undefined
  },
})

const oneOf = <T extends string>(values: readonly T[]): Parser<T> => ({
  accepts: `one of ${values.join(', ')}`,
  parse: (value) => values.find((candidate) => candidate === value),
})

const roles: Parser<readonly Role[]> = {
  accepts: `all, or a comma-separated list of ${ROLES.join(', ')}`,
  parse: (value) => {
    if (value === 'all') return ROLES
    const named = value.split(',').map((name) => name.trim())
    const known = ROLES.filter((role) => named.includes(role))
    return known.length === new Set(named).size ? known : undefined
  },
}

const httpUrl: Parser<string | undefined> = {
  accepts: 'an http:// or https:// URL such as http://user:password@host:8123/database',
  parse: (value) => {
    const url = URL.parse(value)
    return url && (url.protocol === 'http:' || url.protocol === 'https:') ? value : undefined
  },
}

const apiKey = (prefix: 'pub_' | 'prv_'): Parser<string | undefined> => ({
  accepts: `${prefix} followed by 20 to 64 characters of [A-Za-z0-9]`,
  parse: (value) => (new RegExp(`^${prefix}[A-Za-z0-9]{20,64}$`).test(value) ? value : undefined),
})

const host = text('a host name or an address', /^[A-Za-z0-9.:[\]_-]+$/)
const port = wholeNumber(1, 65_535)
const MEBIBYTE = 1024 * 1024

/**
 * Every setting of the service, in the order of the documentation. Each is an environment variable, read once at
 * start; `<NAME>_FILE` names a file that holds the value instead.
 */
const SETTINGS = {
  roles: {
    name: 'SERVICE_ROLES',
    parser: roles,
    fallback: () => ROLES,
    fallbackText: 'all',
    meaning: 'What this invocation runs. `store` is the embedded ClickHouse.',
  },
  serverHost: {
    name: 'SERVICE_SERVER_HOST',
    parser: host,
    fallback: () => '127.0.0.1',
    fallbackText: '127.0.0.1',
    meaning: 'Public address.',
  },
  serverPort: {
    name: 'SERVICE_SERVER_PORT',
    parser: port,
    fallback: () => 3000,
    fallbackText: '3000',
    meaning: 'Public port.',
  },
  adminHost: {
    name: 'SERVICE_ADMIN_HOST',
    parser: host,
    fallback: () => '127.0.0.1',
    fallbackText: '127.0.0.1',
    meaning: 'Address of `GET /metrics`.',
  },
  adminPort: {
    name: 'SERVICE_ADMIN_PORT',
    parser: port,
    fallback: () => 9464,
    fallbackText: '9464',
    meaning: 'Port of `GET /metrics`.',
  },
  dataDir: {
    name: 'SERVICE_DATA_DIR',
    parser: text('a path', /^[^\0]+$/),
    fallback: () => './data',
    fallbackText: './data',
    meaning: 'Embedded stores and pid files.',
  },
  clickhouseUrl: {
    name: 'SERVICE_CLICKHOUSE_URL',
    parser: httpUrl,
    fallback: () => undefined,
    fallbackText: 'unset: embedded',
    meaning:
      'A ClickHouse server (25.8 or newer) with user, password and database, instead of the embedded one.',
    secret: true,
  },
  queryUrl: {
    name: 'SERVICE_QUERY_URL',
    parser: httpUrl,
    fallback: () => undefined,
    fallbackText: 'unset: the query role of the same data folder',
    meaning: 'Where an edge forwards what it does not answer itself.',
  },
  workers: {
    name: 'SERVICE_WORKERS',
    parser: wholeNumber(1, 256),
    fallback: () => Math.max(1, availableParallelism() - 1),
    fallbackText: 'cores - 1, at least 1',
    meaning: 'Validation threads.',
  },
  batchRowsMax: {
    name: 'SERVICE_BATCH_MAX_ROWS',
    parser: wholeNumber(1, 1_000_000),
    fallback: () => 50_000,
    fallbackText: '50000',
    meaning: 'Rows at which a batch is sent to ClickHouse.',
  },
  batchMs: {
    name: 'SERVICE_BATCH_MAX_MS',
    parser: wholeNumber(1, 60_000),
    fallback: () => 1000,
    fallbackText: '1000',
    meaning: 'Milliseconds after its first row at which a batch is sent to ClickHouse.',
  },
  batchBytesMax: {
    name: 'SERVICE_BATCH_MAX_BYTES',
    parser: wholeNumber(64 * 1024, 256 * MEBIBYTE),
    fallback: () => 32 * MEBIBYTE,
    fallbackText: '33554432 (32 MiB)',
    meaning: 'Encoded bytes at which a batch is sent to ClickHouse.',
  },
  bodyBytesMax: {
    name: 'SERVICE_MAX_BODY_BYTES',
    parser: wholeNumber(1024, 256 * MEBIBYTE),
    fallback: () => 8 * MEBIBYTE,
    fallbackText: '8388608 (8 MiB)',
    meaning: 'Bytes of a request body after decompression.',
  },
  queryTimeoutSeconds: {
    name: 'SERVICE_QUERY_TIMEOUT_SECONDS',
    parser: wholeNumber(1, 3600),
    fallback: () => 30,
    fallbackText: '30',
    meaning: 'Seconds that one query may run.',
  },
  queryMemoryBytesMax: {
    name: 'SERVICE_QUERY_MAX_MEMORY_BYTES',
    parser: wholeNumber(64 * MEBIBYTE, 1024 * 1024 * MEBIBYTE),
    fallback: () => 2048 * MEBIBYTE,
    fallbackText: '2147483648 (2 GiB)',
    meaning: 'Bytes of memory that one query may take in ClickHouse.',
  },
  bootstrapPublicKey: {
    name: 'SERVICE_BOOTSTRAP_PUBLIC_KEY',
    parser: apiKey('pub_'),
    fallback: () => undefined,
    fallbackText: 'generated and printed',
    meaning: 'Public key of the first project.',
    secret: true,
  },
  bootstrapPrivateKey: {
    name: 'SERVICE_BOOTSTRAP_PRIVATE_KEY',
    parser: apiKey('prv_'),
    fallback: () => undefined,
    fallbackText: 'generated and printed',
    meaning: 'Private key of the first project.',
    secret: true,
  },
  errorDomain: {
    name: 'SERVICE_ERROR_DOMAIN',
    parser: text('a domain name', /^[A-Za-z0-9.-]{1,253}$/),
    fallback: () => 'service',
    fallbackText: 'service',
    meaning: 'Domain in error details.',
  },
  logLevel: {
    name: 'SERVICE_LOG_LEVEL',
    parser: oneOf(LOG_LEVELS),
    fallback: () => 'info' as const,
    fallbackText: 'info',
    meaning: 'Least severe level that is logged.',
  },
} as const satisfies Record<string, Setting<unknown>>

type Table = typeof SETTINGS

/** The settings of one invocation. Sizes are bytes, times are in the unit of their name. */
export type Settings = {
  readonly [Key in keyof Table]: ReturnType<Table[Key]['fallback']> | Parsed<Table[Key]['parser']>
}

type Parsed<P> = P extends Parser<infer T> ? T : never

/** Environment variables as `process.env` gives them. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads every setting. The error is one line that names the variable and what it accepts; the value itself is not
 * repeated, because it may be a secret in the wrong place.
 */
export function parseSettings(environment: Environment): Result<Settings, string> {
  const unknown = findUnknownName(environment)
  if (unknown) return err(unknown)
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const read = readText(environment, setting.name)
    if (!read.ok) return read
    if (read.value === undefined) {
      values[key] = setting.fallback()
      continue
    }
    const value = setting.parser.parse(read.value)
    if (value === undefined) return err(`${setting.name} must be ${setting.parser.accepts}`)
    values[key] = value
  }
  return ok(values as Settings)
}

function findUnknownName(environment: Environment): string | undefined {
  const known = new Set(Object.values(SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`]))
  const unknown = Object.keys(environment).find((name) => name.startsWith('SERVICE_') && !known.has(name))
  if (unknown === undefined) return undefined
  const names = Object.values(SETTINGS).map(({ name }) => name)
  return `${unknown} is not a setting; the settings are ${names.join(', ')} (each also with _FILE)`
}

function readText(environment: Environment, name: string): Result<string | undefined, string> {
  const direct = environment[name]
  const path = environment[`${name}_FILE`]
  if (direct && path) return err(`${name} and ${name}_FILE are both set; keep one of them`)
  if (!path) return ok(direct || undefined)
  try {
    return ok(readFileSync(path, 'utf8').trim() || undefined)
  } catch {
    return err(`${name}_FILE names a file that cannot be read: ${path}`)
  }
}

/** One row of `millrace config`: a setting, what it means and what it is now. */
export interface SettingRow {
  readonly name: string
  readonly fallback: string
  readonly accepts: string
  readonly meaning: string
  /** The value in force; secrets only say whether they are set. */
  readonly value: string
}

/** The settings as rows, in the order of the documentation. */
export function describeSettings(settings: Settings): SettingRow[] {
  return Object.entries(SETTINGS).map(([key, setting]: [string, Setting<unknown>]) => {
    const value = settings[key as keyof Settings]
    return {
      name: setting.name,
      fallback: setting.fallbackText,
      accepts: setting.parser.accepts,
      meaning: setting.meaning,
      value: showValue(value, setting.secret === true),
    }
  })
}

function showValue(value: unknown, secret: boolean): string {
  if (value === undefined) return ''
  if (secret) return '(set)'
  return Array.isArray(value) ? value.join(',') : String(value)
}
