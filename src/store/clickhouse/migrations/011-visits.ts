import { PROMOTED_PROPERTIES, type PromotedProperty } from '../../../contract/promoted-properties.ts'
import type { TableDefinition } from './layout.ts'

/** Longer sessions are in no row of {@link VISITS}: reading one again would read many days. */
export const VISIT_MS_MAX = 7 * 24 * 3_600_000

/** The properties that a visit has from its first event. */
export const FIRST_EVENT_PROPERTIES = [
  '$channel',
  '$referrerDomain',
  '$utmSource',
  '$utmMedium',
  '$utmCampaign',
  '$utmTerm',
  '$utmContent',
  '$country',
  '$region',
  '$city',
  '$browser',
  '$os',
  '$deviceType',
  '$language',
] as const satisfies readonly PromotedProperty[]

const WITH_DICTIONARY: ReadonlySet<PromotedProperty> = new Set([
  '$channel',
  '$country',
  '$browser',
  '$os',
  '$deviceType',
  '$language',
])

const firstEventColumns = FIRST_EVENT_PROPERTIES.map(
  (property) =>
    `${PROMOTED_PROPERTIES[property]} ${WITH_DICTIONARY.has(property) ? 'LowCardinality(String)' : 'String'}`,
)

/** By month of the start, as `events` are by month: old visits are no longer merged. */
const PARTITION = "toYYYYMM(least(greatest(day, toDate('2019-12-31')), toDate('2036-01-01')))"

/**
 * Visits, one row for each session and day on which it was found to begin. Every row is computed from all events of its session,
 * and a row of a later computation replaces it; `is_gone` marks a session that no longer begins on that day. `visit_coverage`
 * tells which sessions the rows are good for. Ids are as sent: a question maps them to users. The partition and the key have the day
 * and not the start: the engine skips parts by columns of theirs, and a start may differ between the rows of one key, so that a part
 * with the later row could be skipped, and the earlier one be counted.
 */
export const VISITS = {
  name: 'visits',
  columns: `project UInt32,
  day Date MATERIALIZED toDate(began),
  session_id UUID,
  began DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  spent UInt32,
  event_count UInt32,
  view_count UInt32,
  is_bot Bool,
  user_hashes Array(UInt64),
  pages Array(String),
  page_views Array(UInt64),
  entry_page String,
  exit_page String,
  ${firstEventColumns.join(',\n  ')},
  version UInt64,
  is_gone Bool,
  INDEX session_bloom session_id TYPE bloom_filter(0.01) GRANULARITY 1`,
  engine: 'ReplacingMergeTree(version)',
  clauses: [`PARTITION BY ${PARTITION}`, 'ORDER BY (project, day, session_id)'],
  settings: [
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'ttl_only_drop_parts = 1',
    'min_age_to_force_merge_seconds = 3600',
    'min_age_to_force_merge_on_partition_only = 1',
    'old_parts_lifetime = 60',
    'cleanup_delay_period = 20',
    'max_cleanup_delay_period = 20',
    'cleanup_delay_period_random_add = 0',
  ],
  shardBy: 'sipHash64(session_id)',
} as const satisfies TableDefinition

/**
 * What {@link VISITS} covers; the row of the greatest version counts. Of the sessions that begin at `start` or later, the rows
 * contain everything that arrived before `covered`. `arrivals` is the number of arrivals in the hour before: a further one is of a clock
 * that was set back.
 */
export const VISIT_COVERAGE = {
  name: 'visit_coverage',
  columns: `version UInt64,
  covered DateTime64(3, 'UTC'),
  start DateTime64(3, 'UTC'),
  arrivals UInt64`,
  engine: 'MergeTree',
  clauses: ['ORDER BY version', 'TTL toDateTime(covered) + INTERVAL 30 DAY'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: '1',
} as const satisfies TableDefinition
