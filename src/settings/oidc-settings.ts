import { err, ok, type Result } from '../kernel/result.ts'
import { type Parser, text } from './setting-parsers.ts'

/** The roles that a provider's groups can give, from the least one. */
const GROUP_ROLES = ['guest', 'viewer', 'member', 'admin'] as const

/** Gives the members of a group a role in an organisation. */
export interface GroupRule {
  readonly organisationId: string
  /** As the provider names it; `*` for every user of the provider. */
  readonly group: string
  readonly role: (typeof GROUP_ROLES)[number]
}

/** An OpenID Connect provider that users sign in with. */
export interface OidcProvider {
  /** The name in the settings, in lower case. */
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client, which relies on PKCE alone. */
  readonly clientSecret: string | undefined
  /** The text of its button. */
  readonly label: string
  readonly scopes: readonly string[]
  /** The claim with the user's groups. */
  readonly groupsClaim: string
  /** Mail domains in lower case whose users sign in with this provider only, and whose addresses it vouches for. */
  readonly domains: readonly string[]
  readonly groupRules: readonly GroupRule[]
}

/** A setting of each provider; its name lacks the prefix and the name of the provider. */
interface ProviderSetting<T> {
  readonly parser: Parser<T>
  /** The default as the documentation shows it. */
  readonly fallbackText: string
  readonly meaning: string
  readonly secret?: true
}

const PROVIDERS_MAX = 20
const DOMAINS_MAX = 1000
const RULES_MAX = 1000

/** Providers whose issuer takes users of every organisation: the addresses that they name prove nothing. */
const SHARED_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/

const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const issuer: Parser<string> = {
  accepts:
    'an https:// URL without query as the provider writes its issuer (http:// on this machine only), and of one tenant',
  parse: (value) => {
    const url = URL.parse(value)
    if (!url || /[?#@]/.test(value)) return undefined
    const isSafe =
      url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname))
    return isSafe && !SHARED_ISSUER.test(value) ? value : undefined
  },
}

const scopes: Parser<readonly string[]> = {
  accepts: 'scopes separated by spaces, with openid among them',
  parse: (value) => {
    const list = value.split(/[\s,]+/).filter((scope) => scope !== '')
    const isValid =
      list.length <= 32 && list.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(scope))
    return isValid && list.includes('openid') ? list : undefined
  },
}

const domains: Parser<readonly string[]> = {
  accepts: 'a comma-separated list of mail domains, such as example.org,example.com',
  parse: (value) => {
    const list = value.split(',').map((domain) => domain.trim().toLowerCase())
    const isValid = list.every((domain) => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(domain))
    return isValid && list.length <= DOMAINS_MAX ? list : undefined
  },
}

const groupRules: Parser<readonly GroupRule[]> = {
  accepts: 'rules such as 7b0c…-…:analysts=member, one a line or separated by semicolons',
  parse: (value) => {
    const lines = value.split(/[\n;]/).map((line) => line.trim())
    const rules = lines.filter((line) => line !== '').map(parseRule)
    const valid = rules.filter((rule) => rule !== undefined)
    return valid.length === rules.length && valid.length <= RULES_MAX ? valid : undefined
  },
}

function parseRule(line: string): GroupRule | undefined {
  const [, organisationId, group, word] = /^([0-9a-f-]{36}):(.{1,256})=(\w+)$/.exec(line) ?? []
  const role = GROUP_ROLES.find((known) => known === word)
  return organisationId !== undefined && group !== undefined && role
    ? { organisationId, group, role }
    : undefined
}

/** The settings of each provider, in documentation order. */
export const PROVIDER_SETTINGS = {
  ISSUER: {
    parser: issuer,
    fallbackText: 'unset: no such provider',
    meaning: 'Issuer of an OpenID Connect provider; <NAME> is its id in capitals.',
  },
  CLIENT_ID: {
    parser: text('a client id', /^[\x21-\x7e]{1,255}$/),
    fallbackText: 'required',
    meaning: 'Id of this service at the provider.',
  },
  CLIENT_SECRET: {
    parser: text('a secret of at most 4096 characters', /^[\x20-\x7e]{1,4096}$/),
    fallbackText: 'unset: a public client',
    meaning: 'Secret of this service at the provider.',
    secret: true,
  },
  LABEL: {
    parser: text('1 to 60 characters', /^[^\p{C}]{1,60}$/u),
    fallbackText: 'the name',
    meaning: 'Name of the provider on its button: `Sign in with <label>`.',
  },
  SCOPES: {
    parser: scopes,
    fallbackText: 'openid email profile',
    meaning: 'Scopes to request.',
  },
  GROUPS_CLAIM: {
    parser: text('the name of a claim', /^[\x21-\x7e]{1,255}$/),
    fallbackText: 'groups',
    meaning: "Claim of the ID token or of the user info that lists the user's groups.",
  },
  DOMAINS: {
    parser: domains,
    fallbackText: 'none',
    meaning:
      'Mail domains whose users sign in with this provider only, and whose addresses count as verified if it names them. A domain does not cover its subdomains.',
  },
  ROLES: {
    parser: groupRules,
    fallbackText: 'none',
    meaning:
      'Memberships by group, as <organisation id>:<group>=<role>; the group * is every user of the provider. Members of several groups get the highest role.',
  },
} as const satisfies Record<string, ProviderSetting<unknown>>

type Suffix = keyof typeof PROVIDER_SETTINGS
const SUFFIXES = Object.keys(PROVIDER_SETTINGS) as readonly Suffix[]

const NAME = new RegExp(`^SERVICE_OIDC_([A-Z][A-Z0-9_]{0,61}?)_(${SUFFIXES.join('|')})(_FILE)?$`)

/** Whether a variable is a setting of a provider. */
export function isProviderSetting(name: string): boolean {
  return NAME.test(name)
}

/** The names of the settings of a provider, for errors. */
export const PROVIDER_SETTING_NAMES = SUFFIXES.map((suffix) => `SERVICE_OIDC_<NAME>_${suffix}`)

/** Reads the variable of a setting, or its file. */
export type ReadText = (name: string) => Result<string | undefined, string>

/** Reads the providers, in the order of their ids. The error is one line, without the value of a variable. */
export function parseOidcProviders(
  variables: readonly string[],
  read: ReadText,
): Result<readonly OidcProvider[], string> {
  const names = [...new Set(variables.flatMap((variable) => NAME.exec(variable)?.[1] ?? []))].sort()
  if (names.length > PROVIDERS_MAX) return err(`SERVICE_OIDC_* may name at most ${PROVIDERS_MAX} providers`)
  const providers: OidcProvider[] = []
  for (const name of names) {
    const provider = parseProvider(name, read)
    if (!provider.ok) return provider
    if (provider.value) providers.push(provider.value)
  }
  return checkTogether(providers)
}

function checkTogether(providers: readonly OidcProvider[]): Result<readonly OidcProvider[], string> {
  for (const [index, { id, issuer, domains }] of providers.entries()) {
    const others = providers.slice(0, index)
    const setting = `SERVICE_OIDC_${id.toUpperCase()}`
    if (others.some((other) => other.issuer === issuer))
      return err(`${setting}_ISSUER is the issuer of another provider; each issuer may have one name`)
    const shared = domains.find((domain) => others.some((other) => other.domains.includes(domain)))
    if (shared !== undefined)
      return err(`${setting}_DOMAINS has ${shared}, which belongs to another provider already`)
  }
  return ok(providers)
}

type Texts = { readonly [Key in Suffix]?: string }

function parseProvider(name: string, read: ReadText): Result<OidcProvider | undefined, string> {
  const texts: { [Key in Suffix]?: string } = {}
  for (const suffix of SUFFIXES) {
    const value = read(`SERVICE_OIDC_${name}_${suffix}`)
    if (!value.ok) return value
    if (value.value === undefined) continue
    const { parser } = PROVIDER_SETTINGS[suffix]
    if (parser.parse(value.value) === undefined)
      return err(`SERVICE_OIDC_${name}_${suffix} must be ${parser.accepts}`)
    texts[suffix] = value.value
  }
  // Every variable of the name is empty.
  if (Object.keys(texts).length === 0) return ok(undefined)
  if (texts.ISSUER === undefined || texts.CLIENT_ID === undefined)
    return err(`SERVICE_OIDC_${name}_ISSUER and SERVICE_OIDC_${name}_CLIENT_ID belong together; set both`)
  return ok(toProvider(name, { ...texts, ISSUER: texts.ISSUER, CLIENT_ID: texts.CLIENT_ID }))
}

function toProvider(
  name: string,
  texts: Texts & { readonly ISSUER: string; readonly CLIENT_ID: string },
): OidcProvider {
  const { SCOPES, DOMAINS, ROLES } = PROVIDER_SETTINGS
  return {
    id: name.toLowerCase(),
    issuer: texts.ISSUER,
    clientId: texts.CLIENT_ID,
    clientSecret: texts.CLIENT_SECRET,
    label: texts.LABEL ?? labelOf(name),
    scopes: SCOPES.parser.parse(texts.SCOPES ?? '') ?? ['openid', 'email', 'profile'],
    groupsClaim: texts.GROUPS_CLAIM ?? 'groups',
    domains: DOMAINS.parser.parse(texts.DOMAINS ?? '') ?? [],
    groupRules: ROLES.parser.parse(texts.ROLES ?? '') ?? [],
  }
}

/** `COMPANY_SSO` as `Company Sso`. */
function labelOf(name: string): string {
  return name
    .toLowerCase()
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The domain of a lower-case address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
