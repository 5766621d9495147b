/** A product whose statements are measured on its own layout. */
export type Peer = 'goService' | 'posthog' | 'openpanel' | 'umami' | 'swetrix' | 'rybbit'

/** A peer's table: the columns that the queries need, in the peer's types and its order of rows. */
export interface PeerTable {
  /** How the peer is called in tables. */
  readonly title: string
  readonly table: string
  readonly columns: string
  /** Engine, partitions and sorting key. */
  readonly layout: string
  /** Select list of the columns, from columns of `events`. */
  readonly load: string
}

/**
 * The layouts that the peers publish. All have `cookieless`, so that they can leave out what the query leaves out:
 * a concept that most of them lack is not what is compared here.
 */
export const PEER_TABLES = {
  goService: {
    title: 'Go service',
    table: 'peer_go_service',
    columns: `project_id UInt32, kind LowCardinality(String), occur_time DateTime64(3, 'UTC'), event_id UUID,
      distinct_id String, session_id UUID, pathname String, country LowCardinality(String), cookieless Bool,
      insert_time DateTime64(3, 'UTC')`,
    layout: `ReplacingMergeTree(insert_time) PARTITION BY toYYYYMM(occur_time)
      ORDER BY (project_id, toStartOfMinute(occur_time), kind, event_id)`,
    load: 'project, kind, time, event_id, distinct_id, session_id, pathname, country, cookieless, ingested',
  },
  posthog: {
    title: 'PostHog',
    table: 'peer_posthog',
    columns: `uuid UUID, event String, timestamp DateTime64(6, 'UTC'), team_id Int64, distinct_id String, person_id UUID,
      session_id String, pathname String, cookieless Bool, _timestamp DateTime`,
    layout: `ReplacingMergeTree(_timestamp) PARTITION BY toYYYYMM(timestamp)
      ORDER BY (team_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))`,
    load: `event_id, kind, time, project, distinct_id, reinterpretAsUUID(sipHash128('person', distinct_id)),
      toString(session_id), pathname, cookieless, ingested`,
  },
  openpanel: {
    title: 'OpenPanel',
    table: 'peer_openpanel',
    columns: `id UUID, name LowCardinality(String), project_id String, profile_id String CODEC(ZSTD(3)),
      session_id String CODEC(LZ4), path String CODEC(ZSTD(3)), cookieless Bool,
      created_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(3))`,
    layout: `MergeTree PARTITION BY toYYYYMM(created_at) ORDER BY (project_id, toDate(created_at), created_at, name)`,
    load: 'event_id, kind, toString(project), distinct_id, toString(session_id), pathname, cookieless, time',
  },
  umami: {
    title: 'Umami',
    table: 'peer_umami',
    columns: `website_id UUID, session_id UUID, visit_id UUID, event_id UUID, url_path String, event_name String,
      cookieless Bool, created_at DateTime('UTC')`,
    layout: `MergeTree PARTITION BY toYYYYMM(created_at)
      ORDER BY (toStartOfHour(created_at), website_id, session_id, visit_id, created_at)`,
    load: `toUUID('00000000-0000-0000-0000-000000000001'), reinterpretAsUUID(sipHash128('person', distinct_id)), session_id,
      event_id, pathname, kind, cookieless, time`,
  },
  swetrix: {
    title: 'Swetrix',
    table: 'peer_swetrix',
    columns: `pid FixedString(12), type LowCardinality(String), psid Nullable(UInt64), value Nullable(String),
      pg Nullable(String), cookieless Bool, created DateTime('UTC')`,
    layout: 'MergeTree PARTITION BY toYYYYMM(created) ORDER BY (pid, type, created)',
    load: `'project00001', if(kind = 'page_view', 'pageview', 'custom_event'), sipHash64(session_id), kind, pathname, cookieless,
      time`,
  },
  rybbit: {
    title: 'Rybbit',
    table: 'peer_rybbit',
    columns: `site_id UInt16, timestamp DateTime('UTC'), session_id String, user_id String, type String, event_name String,
      pathname String, cookieless Bool`,
    layout: 'MergeTree PARTITION BY toYYYYMM(timestamp) ORDER BY (site_id, timestamp)',
    load: `1, time, toString(session_id), distinct_id, if(kind = 'page_view', 'pageview', 'custom_event'), kind, pathname, cookieless`,
  },
} as const satisfies Record<Peer, PeerTable>

/** Where two of the peers keep who is who: a table of ids that were merged into another one. */
export const PEER_MERGES = [
  `CREATE OR REPLACE TABLE peer_posthog_overrides (
    team_id Int64, distinct_id String, person_id UUID, version Int64
  ) ENGINE = ReplacingMergeTree(version) ORDER BY (team_id, distinct_id)`,
  `INSERT INTO peer_posthog_overrides
    SELECT project, anonymous_id, reinterpretAsUUID(sipHash128('person', external_id)), 1 FROM identity_claims`,
  `CREATE OR REPLACE TABLE peer_go_service_aliases (
    project_id UInt32, alias String, external_id String, version UInt64
  ) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, alias)`,
  `INSERT INTO peer_go_service_aliases SELECT project, anonymous_id, external_id, 1 FROM identity_claims`,
]
