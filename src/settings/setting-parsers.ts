import { type AddressRanges, PRIVATE_CIDRS, parseAddressRanges } from '../kernel/address-ranges.ts'
import { assert } from '../kernel/assert.ts'
import { parseMailbox } from './mailbox.ts'
import { parseSignUpPolicy, type SignUpPolicy } from './sign-up-policy.ts'
import { parseSmtpUrl, type SmtpServer } from './smtp-server.ts'

/** Parses the text of one setting, and describes what it accepts. */
export interface Parser<T> {
  readonly accepts: string
  parse(text: string): T | undefined
}

/** The roles that one invocation can run, in start order. */
export const ROLES = ['store', 'query', 'edge'] as const

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number]

/** Text that matches a pattern. */
export const text = (accepts: string, pattern: RegExp): Parser<string> => ({
  accepts,
  parse: (value) => (pattern.test(value) ? value : undefined),
})

/** Text that matches a pattern, for an optional setting. */
export const optionalText = (accepts: string, pattern: RegExp): Parser<string | undefined> =>
  text(accepts, pattern)

/** An integer within bounds. */
export const wholeNumber = (min: number, max: number): Parser<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  parse: (value) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : undefined
  },
})

/** One of a fixed set of words. */
export const oneOf = <T extends string>(values: readonly T[]): Parser<T> => ({
  accepts: `one of ${values.join(', ')}`,
  parse: (value) => values.find((candidate) => candidate === value),
})

/** `SERVICE_ROLES`. */
export const roles: Parser<readonly Role[]> = {
  accepts: `all, or a comma-separated list of ${ROLES.join(', ')}`,
  parse: (value) => {
    if (value === 'all') return ROLES
    const named = value.split(',').map((name) => name.trim())
    const known = ROLES.filter((role) => named.includes(role))
    return known.length === new Set(named).size ? known : undefined
  },
}

/** An HTTP URL. */
export const httpUrl: Parser<string | undefined> = {
  accepts: 'an http:// or https:// URL',
  parse: (value) => {
    const url = URL.parse(value)
    return url && (url.protocol === 'http:' || url.protocol === 'https:') ? value : undefined
  },
}

/** A URL of a ClickHouse server. */
export const clickhouseUrl: Parser<string | undefined> = {
  ...httpUrl,
  accepts: 'an http:// or https:// URL such as http://user:password@host:8123/database',
}

/** URLs of HTTP servers, without credentials or a path. */
export const httpUrls: Parser<readonly string[]> = {
  accepts:
    'a comma-separated list of http:// or https:// URLs without user and path, such as http://host:8123',
  parse: (value) => {
    const urls = value.split(',').map((one) => URL.parse(httpUrl.parse(one.trim()) ?? ''))
    const isPlain = urls.every((url) => url && url.username === '' && url.pathname === '/')
    return isPlain ? urls.map((url) => url?.origin ?? '') : undefined
  },
}

/** Page origins as browsers send them. */
export const origins: Parser<readonly string[]> = {
  accepts: 'a comma-separated list of origins such as https://app.example.org',
  parse: (value) => {
    const sent = value.split(',').map((one) => one.trim())
    return sent.every((one) => /^https?:/.test(one) && URL.parse(one)?.origin === one) ? sent : undefined
  },
}

/** An HTTP URL that paths are appended to. */
export const baseUrl: Parser<string> = {
  accepts: httpUrl.accepts,
  parse: (value) => httpUrl.parse(value)?.replace(/\/+$/, ''),
}

/** A host name or an address. */
export const host = text('a host name or an address', /^[A-Za-z0-9.:[\]_-]+$/)
/** A fixed TCP port. */
export const port = wholeNumber(1, 65_535)

/** The HTTP/2 mode: on the public port together with HTTP/1.1, off, or on a separate port. */
export type Http2Mode = 'on' | 'off' | { readonly port: number }

/** `SERVICE_HTTP2`. */
export const http2: Parser<Http2Mode> = {
  accepts: 'on, off, or a port number',
  parse: (value) => {
    if (value === 'on' || value === 'off') return value
    const number = port.parse(value)
    return number === undefined ? undefined : { port: number }
  },
}

/** The sync mode of the journal: before each response, or at an interval in milliseconds. */
export type JournalSync = 'always' | number

/** `SERVICE_JOURNAL_SYNC`. */
export const journalSync: Parser<JournalSync> = {
  accepts: 'always, or a whole number of milliseconds from 1 to 60000',
  parse: (value) => (value === 'always' ? value : wholeNumber(1, 60_000).parse(value)),
}

/** Address ranges. */
export const addressRanges: Parser<AddressRanges> = {
  accepts: 'a comma-separated list of addresses and CIDR ranges, or none',
  parse: (value) => {
    const cidrs = value === 'none' ? [] : value.split(',').map((cidr) => cidr.trim())
    const ranges = parseAddressRanges(cidrs)
    return ranges.ok ? ranges.value : undefined
  },
}

/** No ranges. */
export const noRanges: AddressRanges = { cidrs: [], includes: () => false }

/** Loopback, private and link-local ranges. */
export function privateRanges(): AddressRanges {
  const ranges = parseAddressRanges(PRIVATE_CIDRS)
  assert(ranges.ok, 'the private ranges are ranges')
  return ranges.value
}

/** A path. */
export const optionalPath: Parser<string | undefined> = {
  accepts: 'a path',
  parse: (value) => (/^[^\0]+$/.test(value) ? value : undefined),
}

/** A URL of Redis. */
export const redisUrl: Parser<string | undefined> = {
  accepts: 'a redis:// or rediss:// URL',
  parse: (value) => {
    const url = URL.parse(value)
    return url && (url.protocol === 'redis:' || url.protocol === 'rediss:') ? value : undefined
  },
}

/** A URL of PostgreSQL. */
export const postgresUrl: Parser<string | undefined> = {
  accepts: 'a postgres:// or postgresql:// URL such as postgres://user:password@host:5432/database',
  parse: (value) => {
    const url = URL.parse(value)
    return url && (url.protocol === 'postgres:' || url.protocol === 'postgresql:') ? value : undefined
  },
}

const JWT_SECRET_BYTES_MIN = 32

/** `SERVICE_JWT_SECRET`: the bytes of its text. */
export const jwtSecret: Parser<string | undefined> = {
  accepts: `a text of at least ${JWT_SECRET_BYTES_MIN} bytes`,
  parse: (value) => (Buffer.byteLength(value) >= JWT_SECRET_BYTES_MIN ? value : undefined),
}

/** A mail address. */
export const mailAddress = optionalText('a mail address', /^[^\s@]{1,64}@[^\s@]{1,255}$/)

/** A mail server URL. */
export const smtpUrl: Parser<SmtpServer | undefined> = {
  accepts: 'an smtp:// or smtps:// URL such as smtps://user:password@host:465',
  parse: parseSmtpUrl,
}

/** The sender of a mail. */
export const mailSender: Parser<string | undefined> = {
  accepts: 'a mail address, or a name and an address in angle brackets',
  parse: (value) => (parseMailbox(value) ? value : undefined),
}

/** An API key of the given kind. */
export const apiKey = (prefix: 'pub_' | 'prv_'): Parser<string | undefined> => ({
  accepts: `${prefix} followed by 20 to 64 characters of [A-Za-z0-9]`,
  parse: (value) => (new RegExp(`^${prefix}[A-Za-z0-9]{20,64}$`).test(value) ? value : undefined),
})

const SECRET_KEY_BYTES = 32

/** `SERVICE_SECRET_KEY`. */
export const secretKey: Parser<Buffer | undefined> = {
  accepts: `${SECRET_KEY_BYTES} bytes in hexadecimal or base64`,
  parse: (value) => {
    const key = /^[0-9A-Fa-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
    const isWhole = /^[0-9A-Fa-f]{64}$|^[A-Za-z0-9+/_-]{43}=?$/.test(value)
    return isWhole && key.length === SECRET_KEY_BYTES ? key : undefined
  },
}

/** `SERVICE_SIGN_UP`. */
export const signUpPolicy: Parser<SignUpPolicy> = {
  accepts: 'invited, open, or domains: and a comma-separated list, such as domains:example.org,example.com',
  parse: parseSignUpPolicy,
}
