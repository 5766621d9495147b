import { PROMOTED_ENTRIES } from '../../../contract/promoted-properties.ts'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../../contract/property-types.ts'
import type { Layout } from './layout.ts'

const PROMOTED_NAMES = PROMOTED_ENTRIES.map(([property]) => `'${property}'`).join(', ')
const HAS_PROMOTED = PROMOTED_ENTRIES.map(([, column]) => `notEmpty(${column})`).join(', ')

const KEY_LISTS = PROPERTY_TYPE_NAMES.map((type, index) => ({
  name: `keys${index}`,
  column: `${PROPERTY_TYPES[type].column}.keys`,
  bit: 1 << index,
}))

const KEYS = KEY_LISTS.map(({ name }) => name).join(', ')

/** The types of the names of a set of keys, in their order. */
const TYPES = KEY_LISTS.map(({ name, bit }) => `arrayWithConstant(length(${name}), ${bit})`).join(', ')

/**
 * `project, day, kind, property, types, first, last, events` of the names in events. Events are grouped by their sets of keys first:
 * there are few of them, so that what follows costs next to nothing. A promoted value that is not text is in a map too, and its
 * name must not count twice.
 *
 * The view runs within every INSERT, and the engine plans its statement each time, which costs more than its rows: hence as few
 * functions as possible (benchmark case `insert/native-1k`).
 */
export const selectNames = (events: string): string => `
SELECT project, day, kind, seen.1 AS property, groupBitOr(seen.2) AS types,
  min(began) AS first, max(ended) AS last, sum(seen.3 * counted) AS events
FROM (
  SELECT project, day, kind, began, ended, counted,
    arrayFilter((name, isThere) -> isThere, [${PROMOTED_NAMES}], hasPromoted) AS promoted,
    arrayConcat(${KEYS}) AS keys,
    arrayJoin(arrayZip(
      arrayConcat([''], promoted, keys),
      arrayConcat([0], arrayWithConstant(length(promoted), 1), ${TYPES}),
      arrayConcat(arrayWithConstant(1 + length(promoted), 1), arrayMap(key -> NOT has(promoted, key), keys))
    )) AS seen
  FROM (
    SELECT project, toDate(time) AS day, kind, [${HAS_PROMOTED}] AS hasPromoted,
      ${KEY_LISTS.map(({ name, column }) => `${column} AS ${name}`).join(', ')},
      min(time) AS began, max(time) AS ended, count() AS counted
    ${events}
    GROUP BY project, day, kind, hasPromoted, ${KEYS}
  )
)
GROUP BY project, day, kind, property`

/** The same rows as the view of `012-names.ts`, from a statement that takes less time to plan. */
export const countNamesInFewerSteps = ({ on, local }: Layout): string => `
ALTER TABLE name_days_of_events${on} MODIFY QUERY
SELECT project, day, kind, property, types, first, last, events AS arrived, toUInt64(0) AS found
FROM (${selectNames(`FROM ${local('events')}`)}
)`
