import { createHash } from 'node:crypto'
import { renderConfig, type XmlElements } from './xml.ts'

/** Name of the user for migrations, inserts and reads. */
export const ADMIN_USER = 'millrace'
/** Name of the read-only user. */
export const READER_USER = 'millrace_reader'
/** The service's database. */
export const DATABASE = 'millrace'
/** Named collection through which a dictionary reads a local table: `SOURCE(CLICKHOUSE(NAME ...))`. */
export const LOCAL_COLLECTION = 'millrace_local'
/** The credentials with which a dictionary of the engine reads the engine's own tables. */
export const LOCAL_ACCESS = { database: DATABASE, namedCollection: LOCAL_COLLECTION } as const

/** Passwords of the two users, in the clear. */
export type EnginePasswords = { readonly admin: string; readonly reader: string }

const ADMIN_GRANTS = [
  `GRANT ALL ON ${DATABASE}.*`,
  'GRANT SELECT, SHOW ON system.*',
  'GRANT SELECT, SHOW ON information_schema.*',
  'GRANT SELECT, SHOW ON INFORMATION_SCHEMA.*',
  'GRANT TABLE ENGINE ON *',
  'GRANT CREATE TEMPORARY TABLE, CREATE FUNCTION, DROP FUNCTION, KILL QUERY, CLUSTER ON *.*',
  'GRANT SYSTEM FLUSH LOGS, SYSTEM DROP CACHE, SYSTEM RELOAD DICTIONARY ON *.*',
  'GRANT READ, WRITE ON REMOTE',
  `GRANT NAMED COLLECTION ON ${LOCAL_COLLECTION}`,
]

const READER_GRANTS = [
  `GRANT SELECT, SHOW, dictGet ON ${DATABASE}.*`,
  ...['one', 'numbers', 'parts', 'columns', 'tables', 'databases', 'functions', 'settings'].map(
    (table) => `GRANT SELECT ON system.${table}`,
  ),
]

// The query that opens the port runs as `default` without a password. Its session lasts as long as the engine,
// so a limit of one session excludes all others, over HTTP and the native protocol. A limit to an address
// would not, because that session counts as a loopback one.
const DEFAULT_GRANTS = [
  'GRANT SYSTEM LISTEN ON *.*',
  'GRANT READ ON FILE',
  'GRANT CREATE TEMPORARY TABLE ON *.*',
]

const PROFILES: XmlElements = {
  default: {
    async_insert: 0,
    // The engine's command-line mode enables these for every session.
    implicit_select: 0,
    allow_introspection_functions: 0,
  },
  reader: { profile: 'default', readonly: 2 },
  listener: {
    max_sessions_for_user: 1,
    max_concurrent_queries_for_user: 1,
    constraints: { max_sessions_for_user: { const: '' }, max_concurrent_queries_for_user: { const: '' } },
  },
}

/** The users configuration: passwords as SHA-256, one profile and one list of grants per user. */
export function renderUsersConfig(passwords: EnginePasswords): string {
  return renderConfig({
    profiles: PROFILES,
    quotas: { default: {} },
    users: {
      default: { password: '', ...account('listener', DEFAULT_GRANTS) },
      [ADMIN_USER]: { ...hashed(passwords.admin), ...account('default', ADMIN_GRANTS) },
      [READER_USER]: { ...hashed(passwords.reader), ...account('reader', READER_GRANTS) },
    },
  })
}

function hashed(password: string): XmlElements {
  return { password_sha256_hex: createHash('sha256').update(password).digest('hex') }
}

function account(profile: string, grants: readonly string[]): XmlElements {
  return { networks: { ip: '127.0.0.1' }, profile, quota: 'default', grants: { query: grants } }
}
