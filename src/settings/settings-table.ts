import { availableParallelism } from 'node:os'
import { LOG_LEVELS } from '../kernel/log.ts'
import { ACCOUNT_SETTINGS } from './account-settings.ts'
import {
  addressRanges,
  clickhouseUrl,
  host,
  http2,
  httpUrl,
  httpUrls,
  journalSync,
  oneOf,
  optionalPath,
  optionalText,
  origins,
  type Parser,
  port,
  postgresUrl,
  privateRanges,
  ROLES,
  redisUrl,
  roles,
  text,
  wholeNumber,
} from './setting-parsers.ts'

const MEBIBYTE = 1024 * 1024

/** A setting: its name, the values it accepts, and its default. */
export interface Setting<T> {
  readonly name: string
  readonly parser: Parser<T>
  /** The value when the variable is absent or empty. */
  readonly fallback: () => T
  /** The default as the documentation shows it. */
  readonly fallbackText: string
  readonly meaning: string
  /** Never printed. */
  readonly secret?: true
}

/**
 * Every setting of the service, in documentation order. Each is an environment variable, read once at startup;
 * `<NAME>_FILE` names a file that contains the value instead.
 */
export const SETTINGS = {
  roles: {
    name: 'SERVICE_ROLES',
    parser: roles,
    fallback: () => ROLES,
    fallbackText: 'all',
    meaning: 'Roles that this invocation runs. `store` is the embedded ClickHouse.',
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
  http2: {
    name: 'SERVICE_HTTP2',
    parser: http2,
    fallback: () => 'on' as const,
    fallbackText: 'on',
    meaning:
      '`on`: one port for HTTP/1.1 and HTTP/2; `off`: HTTP/1.1 only, fastest; a port number: HTTP/2 there.',
  },
  tlsCert: {
    name: 'SERVICE_TLS_CERT',
    parser: optionalPath,
    fallback: () => undefined,
    fallbackText: 'unset',
    meaning: 'PEM file of the certificate chain; with SERVICE_TLS_KEY it enables TLS on the public port.',
  },
  tlsKey: {
    name: 'SERVICE_TLS_KEY',
    parser: optionalPath,
    fallback: () => undefined,
    fallbackText: 'unset',
    meaning: 'PEM file of the private key of the certificate.',
  },
  trustedProxies: {
    name: 'SERVICE_TRUSTED_PROXIES',
    parser: addressRanges,
    fallback: privateRanges,
    fallbackText: 'loopback and private ranges',
    meaning: 'Peers whose forwarding headers, CDN headers and PROXY protocol are trusted.',
  },
  rateLimitEventsPerSecond: {
    name: 'SERVICE_RATE_LIMIT_EVENTS_PER_SECOND',
    parser: wholeNumber(0, 1_000_000_000),
    fallback: () => 0,
    fallbackText: '0: off',
    meaning:
      'Rate limit per API key in events per second, shared by all edges of one Redis; two seconds of events may arrive in one burst. An Identify call counts as one event.',
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
    parser: clickhouseUrl,
    fallback: () => undefined,
    fallbackText: 'unset: embedded',
    meaning:
      'URL of a ClickHouse server (25.8 or newer) with user, password and database, instead of the embedded one.',
    secret: true,
  },
  clickhouseCluster: {
    name: 'SERVICE_CLICKHOUSE_CLUSTER',
    parser: optionalText('a name of letters, digits, hyphens and underscores', /^[A-Za-z0-9_-]{1,64}$/),
    fallback: () => undefined,
    fallbackText: 'unset: one server',
    meaning:
      'Name of a cluster in `remote_servers` of the server at SERVICE_CLICKHOUSE_URL; tables are distributed over its shards.',
  },
  clickhouseNodes: {
    name: 'SERVICE_CLICKHOUSE_NODES',
    parser: httpUrls,
    fallback: () => [],
    fallbackText: 'unset: a Keeper carries statements to all nodes',
    meaning:
      'HTTP addresses of all nodes of a cluster without a Keeper: tables are not replicated, a shard is one node.',
  },
  queryUrl: {
    name: 'SERVICE_QUERY_URL',
    parser: httpUrl,
    fallback: () => undefined,
    fallbackText: 'unset: the query role of the same data folder',
    meaning: 'Upstream to which an edge forwards requests that it does not handle itself.',
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
    fallback: () => 100_000,
    fallbackText: '100000',
    meaning: 'Number of rows that triggers an INSERT into ClickHouse.',
  },
  batchMs: {
    name: 'SERVICE_BATCH_MAX_MS',
    parser: wholeNumber(1, 60_000),
    fallback: () => 2000,
    fallbackText: '2000',
    meaning: 'Milliseconds after the first row of a batch that trigger an INSERT into ClickHouse.',
  },
  batchBytesMax: {
    name: 'SERVICE_BATCH_MAX_BYTES',
    parser: wholeNumber(64 * 1024, 256 * MEBIBYTE),
    fallback: () => 32 * MEBIBYTE,
    fallbackText: '33554432 (32 MiB)',
    meaning: 'Encoded bytes that trigger an INSERT into ClickHouse.',
  },
  journalSync: {
    name: 'SERVICE_JOURNAL_SYNC',
    parser: journalSync,
    fallback: () => 'always' as const,
    fallbackText: 'always',
    meaning:
      '`always`: events are synced to disk before the response; a number: within that many milliseconds.',
  },
  journalBytesMax: {
    name: 'SERVICE_JOURNAL_MAX_BYTES',
    parser: wholeNumber(64 * MEBIBYTE, 1024 * 1024 * MEBIBYTE),
    fallback: () => 8192 * MEBIBYTE,
    fallbackText: '8589934592 (8 GiB)',
    meaning: 'Bytes that may queue on disk for ClickHouse before ingestion returns `resource_exhausted`.',
  },
  redisUrl: {
    name: 'SERVICE_REDIS_URL',
    parser: redisUrl,
    fallback: () => undefined,
    fallbackText: 'unset: embedded',
    meaning:
      'URL of a Redis server for state that several machines share: salts and sessions of cookieless visitors, rate limits.',
    secret: true,
  },
  databaseUrl: {
    name: 'SERVICE_DATABASE_URL',
    parser: postgresUrl,
    fallback: () => undefined,
    fallbackText: 'unset: embedded SQLite',
    meaning:
      'URL of a PostgreSQL server for organisations, projects, keys and dashboards, shared by several machines.',
    secret: true,
  },
  geoipPath: {
    name: 'SERVICE_GEOIP_DB',
    parser: optionalPath,
    fallback: () => undefined,
    fallbackText: 'unset',
    meaning: 'MMDB file that maps IP addresses to locations, for requests without CDN location headers.',
  },
  botNetworksPath: {
    name: 'SERVICE_BOT_NETWORKS',
    parser: optionalPath,
    fallback: () => undefined,
    fallbackText: 'unset',
    meaning:
      'File of address ranges in CIDR notation, one a line, whose requests with a public key are marked as sent by bots.',
  },
  referrerSpamPath: {
    name: 'SERVICE_REFERRER_SPAM',
    parser: optionalPath,
    fallback: () => undefined,
    fallbackText: 'unset',
    meaning: 'File of domains, one a line: events with a referrer there or below are marked as sent by bots.',
  },
  wellKnownEvents: {
    name: 'SERVICE_WELL_KNOWN_EVENTS',
    parser: oneOf(['observe', 'enforce', 'off'] as const),
    fallback: () => 'observe' as const,
    fallbackText: 'observe',
    meaning:
      'Treatment of a typed event that violates its schema: `observe` marks it, `enforce` rejects it, `off` checks nothing.',
  },
  bodyBytesMax: {
    name: 'SERVICE_MAX_BODY_BYTES',
    parser: wholeNumber(1024, 256 * MEBIBYTE),
    fallback: () => 8 * MEBIBYTE,
    fallbackText: '8388608 (8 MiB)',
    meaning: 'Maximum bytes of a request body after decompression.',
  },
  queryTimeoutSeconds: {
    name: 'SERVICE_QUERY_TIMEOUT_SECONDS',
    parser: wholeNumber(1, 3600),
    fallback: () => 30,
    fallbackText: '30',
    meaning: 'Deadline of one query in seconds, for all of its statements together.',
  },
  queryMemoryBytesMax: {
    name: 'SERVICE_QUERY_MAX_MEMORY_BYTES',
    parser: wholeNumber(64 * MEBIBYTE, 1024 * 1024 * MEBIBYTE),
    fallback: () => 2048 * MEBIBYTE,
    fallbackText: '2147483648 (2 GiB)',
    meaning: 'Maximum memory of one statement in ClickHouse, in bytes.',
  },
  queryReadRowsMax: {
    name: 'SERVICE_QUERY_MAX_READ_ROWS',
    parser: wholeNumber(1_000_000, Number.MAX_SAFE_INTEGER),
    fallback: () => 10_000_000_000,
    fallbackText: '10000000000',
    meaning: 'Maximum rows that one statement may read in ClickHouse.',
  },
  queryConcurrency: {
    name: 'SERVICE_QUERY_CONCURRENCY',
    parser: wholeNumber(1, 1024),
    fallback: () => 8,
    fallbackText: '8',
    meaning:
      'Concurrency limit of queries; more queue briefly. Projects that query at the same time take turns, and each leaves a quarter free for the others.',
  },
  queryCacheSeconds: {
    name: 'SERVICE_QUERY_CACHE_SECONDS',
    parser: wholeNumber(0, 3600),
    fallback: () => 1,
    fallbackText: '1',
    meaning: 'Seconds for which query results are cached; 0 disables the cache.',
  },
  devicesPerProjectMax: {
    name: 'SERVICE_DEVICES_PER_PROJECT_MAX',
    parser: wholeNumber(1, 1_000_000_000),
    fallback: () => 1_000_000,
    fallbackText: '1000000',
    meaning: 'Maximum push devices per project; beyond that, new devices replace inactive ones.',
  },
  retentionDays: {
    name: 'SERVICE_RETENTION_DAYS',
    parser: wholeNumber(0, 36_500),
    fallback: () => 0,
    fallbackText: '0: forever',
    meaning: 'Days after which events expire; a month of events is dropped when its last event has expired.',
  },
  auditRetentionDays: {
    name: 'SERVICE_AUDIT_RETENTION_DAYS',
    parser: wholeNumber(1, 36_500),
    fallback: () => 365,
    fallbackText: '365',
    meaning: 'Days after which entries of the audit log are deleted.',
  },
  auditEntriesMax: {
    name: 'SERVICE_AUDIT_ENTRIES_MAX',
    parser: wholeNumber(1000, 1_000_000_000),
    fallback: () => 40_000_000,
    fallbackText: '40000000',
    meaning: 'Maximum entries in the audit log of an organisation; beyond that, the oldest are deleted.',
  },
  visits: {
    name: 'SERVICE_VISITS',
    parser: oneOf(['on', 'off'] as const),
    fallback: () => 'on' as const,
    fallbackText: 'on',
    meaning:
      '`on`: visits are computed in the background, so that the web overview, insights about sessions and user flows read one row per visit; `off`: they are removed, and all of these read events.',
  },
  keptDaysBytesMax: {
    name: 'SERVICE_KEPT_DAYS_MAX_BYTES',
    parser: wholeNumber(0, 1024 * 1024 * MEBIBYTE),
    fallback: () => 1024 * MEBIBYTE,
    fallbackText: '1073741824 (1 GiB)',
    meaning:
      'Disk space for what questions need of closed days, in bytes on each ClickHouse node. A question that is asked again then reads only the events of days that have changed since; 0 turns it off.',
  },
  corsOrigins: {
    name: 'SERVICE_CORS_ORIGINS',
    parser: origins,
    fallback: () => [],
    fallbackText: 'none',
    meaning:
      'Origins whose pages may call `shared.*`, `dashboard.*`, `public.*` and `millrace.*`; ingestion accepts every origin.',
  },
  ...ACCOUNT_SETTINGS,
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
    meaning: 'Minimum severity of log messages.',
  },
} as const satisfies Record<string, Setting<unknown>>
