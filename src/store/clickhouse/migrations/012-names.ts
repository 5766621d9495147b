import { PROMOTED_ENTRIES } from '../../../contract/promoted-properties.ts'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../../contract/property-types.ts'
import { selectNames } from './021-names-in-fewer-steps.ts'
import type { Layout, TableDefinition } from './layout.ts'

/** How long the volume of a day is kept. */
const VOLUME_DAYS = 90

/**
 * The names in the events of one day: of a kind, with an empty property, and of the properties that its events carry. `types` has bit n
 * for values of the type with index n in `PROPERTY_TYPE_NAMES`. `arrived` counts the events that the view has seen, copies included;
 * `found` those from before the view, which may be counted again.
 */
export const NAME_DAYS = {
  name: 'name_days',
  columns: `project UInt32,
  day Date DEFAULT today(),
  kind LowCardinality(String),
  property String,
  types SimpleAggregateFunction(groupBitOr, UInt8),
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  arrived SimpleAggregateFunction(sum, UInt64),
  found SimpleAggregateFunction(max, UInt64)`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, day, kind, property)', `TTL day + toIntervalDay(${VOLUME_DAYS})`],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(project, kind)',
} as const satisfies TableDefinition

/** The names of all time. The row of project 0 marks that events from before the table are in it. */
export const NAMES = {
  name: 'names',
  columns: `project UInt32,
  kind LowCardinality(String),
  property String,
  types SimpleAggregateFunction(groupBitOr, UInt8),
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))`,
  engine: 'AggregatingMergeTree',
  clauses: ['ORDER BY (project, kind, property)'],
  settings: ['fsync_after_insert = 1', 'fsync_part_directory = 1'],
  shardBy: 'sipHash64(project, kind)',
} as const satisfies TableDefinition

/** A number with a bit for each promoted property that an event has. */
const PROMOTED_BITS = PROMOTED_ENTRIES.map(
  ([, column], index) => `bitShiftLeft(toUInt64(notEmpty(${column})), ${index})`,
).join(' + ')

const PROMOTED_NAMES = `[${PROMOTED_ENTRIES.map(([property]) => `'${property}'`).join(', ')}]`

const KEY_LISTS = PROPERTY_TYPE_NAMES.map((type, index) => ({
  name: `keys${index}`,
  column: `${PROPERTY_TYPES[type].column}.keys`,
  bit: 1 << index,
}))

/** The names of one set of keys: pairs of a name and its types, and whether the pair counts the events. */
const NAMES_OF_SET = `arrayConcat(
    [('', 0, 1)],
    arrayMap(bit -> (${PROMOTED_NAMES}[bit + 1], 1, 1), bitPositionsToArray(promoted)),
    ${KEY_LISTS.map(({ name, bit }) => `arrayMap(key -> (key, ${bit}, toUInt8(NOT has(promotedNames, key))), ${name})`).join(',\n    ')}
  )`

/** What {@link selectNames} selects, in more functions: a view that the engine plans anew in each INSERT. */
const selectNamesAtFirst = (events: string): string => `
SELECT project, day, kind, seen.1 AS property, groupBitOr(toUInt8(seen.2)) AS types,
  min(began) AS first, max(ended) AS last, sum(seen.3 * counted) AS events
FROM (
  SELECT project, day, kind, began, ended, counted,
    arrayMap(bit -> ${PROMOTED_NAMES}[bit + 1], bitPositionsToArray(promoted)) AS promotedNames,
    arrayJoin(${NAMES_OF_SET}) AS seen
  FROM (
    SELECT project, toDate(time) AS day, kind, ${PROMOTED_BITS} AS promoted,
      ${KEY_LISTS.map(({ name, column }) => `${column} AS ${name}`).join(', ')},
      min(time) AS began, max(time) AS ended, count() AS counted
    ${events}
    GROUP BY project, day, kind, promoted, ${KEY_LISTS.map(({ name }) => name).join(', ')}
  )
)
GROUP BY project, day, kind, property`

/** Replaced by `021-names-in-fewer-steps.ts`. */
export const createNameDaysView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS name_days_of_events${on} TO ${local('name_days')} AS
SELECT project, day, kind, property, types, first, last, events AS arrived, toUInt64(0) AS found
FROM (${selectNamesAtFirst(`FROM ${local('events')}`)}
)`

/** Reads INSERTs into `name_days`. */
export const createNamesView = ({ on, local }: Layout): string => `
CREATE MATERIALIZED VIEW IF NOT EXISTS names_of_name_days${on} TO ${local('names')} AS
SELECT project, kind, property, groupBitOr(types) AS types, min(first) AS first, max(last) AS last
FROM ${local('name_days')}
GROUP BY project, kind, property`

/** Instant of this migration, since which INSERTs add their names, and whether the events from before are in the tables. */
export const FILL_STATE = `
SELECT toUnixTimestamp64Milli((SELECT min(applied) FROM migrations WHERE version = 12)) AS before,
  (SELECT count() FROM names WHERE project = 0) > 0 AS isFilled`

/** Marks that the events from before are in the tables. */
export const MARK_FILLED = `
INSERT INTO names (project, kind, property, types, first, last)
SELECT 0, '', '', 0, now64(3, 'UTC'), now64(3, 'UTC')`

/** The days with events that arrived before an instant. `before` is in milliseconds, like that of {@link FILL_NAMES}. */
export const DAYS_BEFORE = `
SELECT DISTINCT toString(toDate(time)) AS day
FROM events
WHERE ingested < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
ORDER BY day DESC`

/** Adds the names of a day in events that arrived before an instant. Again, it changes nothing. */
export const FILL_NAMES = `
INSERT INTO name_days (project, day, kind, property, types, first, last, arrived, found)
SELECT project, day, kind, property, types, first, last, 0, events
FROM (${selectNames(`FROM events
    WHERE toDate(time) = {day:Date} AND ingested < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`)}
)`

/** A number of the kind of an event. The kinds with one number have few names, so that their sums over a day fit into memory. */
const SLICE = 'sipHash64(project, kind) % 64'

/** The slices of kinds that events of a day have, with their hours. */
export const SLICES_OF_DAY = `
SELECT toUInt8(${SLICE}) AS slice, groupUniqArray(toHour(time)) AS hours
FROM events
WHERE toDate(time) = {day:Date} AND ingested < fromUnixTimestamp64Milli({before:Int64}, 'UTC')
GROUP BY slice`

/**
 * The names of one slice of kinds in one hour: what {@link FILL_NAMES} adds, for days that take too long at once. `found` is the largest
 * count of a day, so the hours are added up before they are inserted.
 */
export const NAMES_OF_HOUR = `
SELECT project, day, kind, property, types, first, last, toFloat64(events) AS found
FROM (${selectNames(`FROM events
    WHERE toDate(time) = {day:Date} AND toHour(time) = {hour:UInt8} AND ${SLICE} = {slice:UInt8}
      AND ingested < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`)}
)`

/** Adds the names in events that arrived since an instant. Again, it changes nothing. */
export const REFILL_NAMES = `
INSERT INTO names (project, kind, property, types, first, last)
SELECT project, kind, property, types, first, last
FROM (${selectNames(`FROM events
    WHERE ingested >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`)}
)`
