import { readFileSync } from 'node:fs'
import type { AddressRanges } from '../kernel/address-ranges.ts'
import { findNearName } from '../kernel/near-name.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { EVERY_ADDRESS } from './derived-settings.ts'
import {
  isProviderSetting,
  type OidcProvider,
  PROVIDER_SETTING_NAMES,
  PROVIDER_SETTINGS,
  parseOidcProviders,
} from './oidc-settings.ts'
import type { Parser } from './setting-parsers.ts'
import { SETTINGS, type Setting } from './settings-table.ts'

export { type Http2Mode, type JournalSync, ROLES, type Role } from './setting-parsers.ts'

type Table = typeof SETTINGS

/** The settings of one invocation. Sizes are in bytes, times in the unit of their name. */
export type Settings = {
  readonly [Key in keyof Table]: ReturnType<Table[Key]['fallback']> | Parsed<Table[Key]['parser']>
} & {
  /** The OpenID Connect providers, in the order of their ids. */
  readonly oidcProviders: readonly OidcProvider[]
}

type Parsed<P> = P extends Parser<infer T> ? T : never

/** Environment variables as `process.env` gives them. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads every setting. The error is one line with the variable and the values it accepts, but without the actual value,
 * because it may be a misplaced secret.
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
  const providers = parseOidcProviders(Object.keys(environment), (name) => readText(environment, name))
  if (!providers.ok) return providers
  return checkTogether({ ...values, oidcProviders: providers.value } as Settings)
}

function checkTogether(settings: Settings): Result<Settings, string> {
  const halfTls = (settings.tlsCert === undefined) !== (settings.tlsKey === undefined)
  if (halfTls) return err('SERVICE_TLS_CERT and SERVICE_TLS_KEY belong together; set both or none')
  const halfMail = (settings.smtpUrl === undefined) !== (settings.mailFrom === undefined)
  if (halfMail) return err('SERVICE_SMTP_URL and SERVICE_MAIL_FROM belong together; set both or none')
  if (settings.clickhouseCluster !== undefined && settings.clickhouseUrl === undefined)
    return err('SERVICE_CLICKHOUSE_CLUSTER needs SERVICE_CLICKHOUSE_URL, the address of one of its nodes')
  if (settings.clickhouseNodes.length > 0 && settings.clickhouseCluster === undefined)
    return err('SERVICE_CLICKHOUSE_NODES needs SERVICE_CLICKHOUSE_CLUSTER, the name of their cluster')
  return checkPorts(settings)
}

/** Two addresses with one port are two ports, unless one of them is every address. */
function checkPorts(settings: Settings): Result<Settings, string> {
  const { serverHost, serverPort, adminHost, adminPort, http2 } = settings
  const http2Port = typeof http2 === 'object' ? http2.port : undefined
  if (http2Port === serverPort) return err('SERVICE_HTTP2 and SERVICE_SERVER_PORT must be different ports')
  const isOneHost = serverHost === adminHost || EVERY_ADDRESS.has(serverHost) || EVERY_ADDRESS.has(adminHost)
  if (!isOneHost) return ok(settings)
  if (serverPort === adminPort)
    return err('SERVICE_SERVER_PORT and SERVICE_ADMIN_PORT must be different ports')
  if (http2Port === adminPort) return err('SERVICE_HTTP2 and SERVICE_ADMIN_PORT must be different ports')
  return ok(settings)
}

function findUnknownName(environment: Environment): string | undefined {
  const known = new Set(Object.values(SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`]))
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('SERVICE_') && !known.has(name) && !isProviderSetting(name),
  )
  if (unknown === undefined) return undefined
  const names = [...Object.values(SETTINGS).map(({ name }) => name), ...PROVIDER_SETTING_NAMES]
  const near = findNearName(unknown, names)
  const hint = near === undefined ? 'the' : `did you mean ${near}? The`
  return `${unknown} is not a setting; ${hint} settings are ${names.join(', ')} (each also with _FILE)`
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

/** One row of `millrace config`: a setting, its description and its current value. */
export interface SettingRow {
  readonly name: string
  readonly fallback: string
  readonly accepts: string
  readonly meaning: string
  /** The effective value; for secrets only whether they are set. */
  readonly value: string
}

/** The settings as rows, in documentation order; those of providers last. */
export function describeSettings(settings: Settings): SettingRow[] {
  return [...describeTable(settings), ...describeProviders(settings)]
}

function describeTable(settings: Settings): SettingRow[] {
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

/** One row for each setting of every provider; its value has those of all providers. */
function describeProviders({ oidcProviders }: Settings): SettingRow[] {
  return Object.entries(PROVIDER_SETTINGS).map(([suffix, { fallbackText, parser, meaning }]) => ({
    name: `SERVICE_OIDC_<NAME>_${suffix}`,
    fallback: fallbackText,
    accepts: parser.accepts,
    meaning,
    value: suffix === 'ISSUER' ? oidcProviders.map(({ id, issuer }) => `${id}: ${issuer}`).join(', ') : '',
  }))
}

function showValue(value: unknown, secret: boolean): string {
  if (value === undefined) return ''
  if (secret) return '(set)'
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object' || value === null) return String(value)
  return 'cidrs' in value
    ? (value as AddressRanges).cidrs.join(',')
    : String((value as { port: number }).port)
}
