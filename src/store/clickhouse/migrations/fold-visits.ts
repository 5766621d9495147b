import { PROMOTED_PROPERTIES } from '../../../contract/promoted-properties.ts'
import { FIRST_EVENT_PROPERTIES, VISIT_MS_MAX } from './011-visits.ts'
import { PATH_EVENTS_MAX } from './022-visit-paths.ts'

/**
 * The number of the columns of visits. A row of an earlier release lacks some, so that only a coverage with this number counts. An earlier
 * release can store rows, and cannot state that they are covered: its INSERT does not name the columns of the coverage, or states its number.
 */
export const VISIT_LAYOUT = 2

/** The id of an event as a number that sorts like its text: the engine sorts UUIDs by their second half first. */
export const ID_NUMBER_TEXT =
  'bitOr(bitShiftLeft(reinterpretAsUInt128(event_id), 64), bitShiftRight(reinterpretAsUInt128(event_id), 64))'

/**
 * Sort key of an event: by time, then by the text of its id. One number of 170 bits, because tuples and texts cost several times as
 * much to compare.
 */
export const EVENT_ORDER_TEXT = `toUInt64(toUnixTimestamp64Milli(time)) * toUInt256('${2n ** 128n}') + ${ID_NUMBER_TEXT}`

/**
 * Time between the search for the arrivals to fold and the first row, in milliseconds. A question that takes less from its search for
 * arrivals to its answer finds every session that a fold changes in the meantime, even if clocks differ.
 */
export const SETTLE_MS = 10_000

/** Arrivals of this time before the coverage are counted again and again. */
export const RECOUNT_MS = 3_600_000

/** Maximum sessions of one fold, except that those of one INSERT and of one day stay together. */
export const SESSIONS_PER_FOLD = 200_000

const at = (parameter: string): string => `fromUnixTimestamp64Milli({${parameter}:Int64}, 'UTC')`

/** The sessions of arrivals: parameters `since` and `until`. */
const ARRIVED = `(project, session_id) IN (SELECT project, session_id FROM session_arrivals WHERE arrived >= ${at('since')} AND arrived < ${at('until')}
  )`

/** The extents of sessions, by the conditions that choose them. */
function spans(where: string, having: readonly string[]): string {
  const conditions = having.length === 0 ? '' : `HAVING ${having.join(' AND ')}`
  return `SELECT project, session_id, min(first) AS least, max(last) AS most FROM sessions WHERE ${where} GROUP BY project, session_id ${conditions}`
}

const IS_SHORT = `most <= least + toIntervalMillisecond(${VISIT_MS_MAX})`

/** Each day on which one of the sessions has, or may have, an event. */
function daysOf(sessions: string): string {
  return `SELECT DISTINCT project, arrayJoin(arrayMap(day -> toDate(day), range(toUInt16(toDate(least)), toUInt16(toDate(most)) + 1))) AS day FROM (${sessions})`
}

const IS_VIEW = "kind = 'page_view'"
const PAGES = `sumMapIf([pathname], [toUInt64(1)], ${IS_VIEW})`

const listOf = (value: string): string => `groupArray(${PATH_EVENTS_MAX + 1})(${value})`
const ORDERS = listOf(EVENT_ORDER_TEXT)
const HAS_PATH = `count() <= ${PATH_EVENTS_MAX} AND length(arrayCompact(arraySort(${ORDERS}))) = count()`

/** A list of the events of the session, empty where they have no path. */
const ofPath = (list: string): string => `if(${HAS_PATH}, ${list}, [])`

/** A value of each event, in order. */
const inOrder = (value: string): string => `arraySort((value, place) -> place, ${listOf(value)}, ${ORDERS})`

const PAGE = `if(pathname = '', 0, bitShiftLeft(bitShiftRight(sipHash64(pathname), 4), 4) + (${IS_VIEW}))`

/** The columns of a row with their expressions over the events of its session. */
const COLUMNS: readonly (readonly [column: string, expression: string])[] = [
  ['project', 'project'],
  ['session_id', 'session_id'],
  ['began', 'min(time)'],
  ['spent', 'toUInt32(toUnixTimestamp64Milli(max(time)) - toUnixTimestamp64Milli(min(time)))'],
  ['event_count', 'toUInt32(count())'],
  ['view_count', `toUInt32(countIf(${IS_VIEW}))`],
  ['is_bot', "toBool(max(bools['$bot']))"],
  ['bot_count', "toUInt32(countIf(bools['$bot']))"],
  ['user_hashes', 'groupUniqArray(user_hash)'],
  ['pages', `${PAGES}.1`],
  ['page_views', `${PAGES}.2`],
  ['entry_page', `argMinIf(pathname, ${EVENT_ORDER_TEXT}, ${IS_VIEW})`],
  ['exit_page', `argMaxIf(pathname, ${EVENT_ORDER_TEXT}, ${IS_VIEW})`],
  ...FIRST_EVENT_PROPERTIES.map((property): readonly [string, string] => {
    const column = PROMOTED_PROPERTIES[property]
    return [column, `argMin(${column}, ${EVENT_ORDER_TEXT})`]
  }),
  ['pathname', `argMin(pathname, ${EVENT_ORDER_TEXT})`],
  ['last_pathname', `argMax(pathname, ${EVENT_ORDER_TEXT})`],
  ['path_kinds', ofPath(inOrder('bitShiftRight(sipHash64(kind), 4)'))],
  ['path_pages', ofPath(inOrder(PAGE))],
  [
    'path_offsets',
    ofPath(
      `arrayMap(moment -> toUInt32(moment - toUnixTimestamp64Milli(min(time))), arraySort(${listOf('toUnixTimestamp64Milli(time)')}))`,
    ),
  ],
  ['cookieless_count', 'toUInt32(countIf(cookieless))'],
  ['version', '{version:UInt64}'],
]

/** Copies may differ in anything but the key, so that only the condition on the key stands before they collapse. */
function rowsOf(sessions: string): string {
  return `
INSERT INTO visits (${COLUMNS.map(([column]) => column).join(', ')})
SELECT ${COLUMNS.map(([, expression]) => expression).join(',\n  ')}
FROM events FINAL
PREWHERE (project, toDate(time)) IN (${daysOf(sessions)})
WHERE (project, session_id) IN (SELECT project, session_id FROM (${sessions}))
GROUP BY project, session_id`
}

/** Computes the sessions that arrived from `since` until before `until`. */
export const FOLD_ARRIVALS = rowsOf(spans(ARRIVED, [IS_SHORT]))

/**
 * Marks the other rows of these sessions: those of days on which they no longer begin, and those of sessions that have become
 * too long. Until both statements have run, questions read these sessions from their events.
 */
export const MARK_GONE = `
INSERT INTO visits (project, began, session_id, version, is_gone)
SELECT project, began, session_id, {version:UInt64}, true
FROM visits FINAL
WHERE ${ARRIVED} AND (project, day) IN (${daysOf(spans(ARRIVED, []))})
  AND version < {version:UInt64} AND NOT is_gone`

/** Margin for clocks and for INSERTs of long duration, between the arrival of an event and that of its session. */
const MARGIN_SECONDS = 120

/** The events of the arrivals. */
const FRESH = `ingested >= ${at('since')} - INTERVAL ${MARGIN_SECONDS} SECOND AND ingested < ${at('until')} + INTERVAL ${MARGIN_SECONDS} SECOND`

/** The day of an event, and those on which its session may have begun. */
const DAYS_BACK = VISIT_MS_MAX / (24 * 3_600_000) + 1

/**
 * Rows that may contain an event which a copy has moved to another session: those of its user, at its time. Sessions with an arrival
 * of their own are computed again anyway.
 */
const MAYBE_ROBBED = `SELECT DISTINCT project, session_id, event_count, began AS least, began + toIntervalMillisecond(spent) AS most
  FROM (
    SELECT project, session_id, event_count, began, spent, arrayJoin(user_hashes) AS user_hash
    FROM visits FINAL
    WHERE (project, day) IN (SELECT DISTINCT project, arrayJoin(arrayMap(back -> toDate(time) - back, range(${DAYS_BACK}))) AS day
      FROM events WHERE ${FRESH}
    )
      AND NOT is_gone
      AND (project, session_id) NOT IN (SELECT project, session_id FROM session_arrivals WHERE arrived >= ${at('since')})
  ) AS counted
  LEFT ANY JOIN (SELECT project, user_hash, min(time) AS earliest, max(time) AS latest
    FROM events WHERE ${FRESH} GROUP BY project, user_hash
  ) AS fresh USING (project, user_hash)
  WHERE began <= latest AND began + toIntervalMillisecond(spent) >= earliest`

/**
 * A copy that names another session moves its event there. The session that loses the event has no arrival of its own, and gets
 * one: without it, its row would keep the event. A merge may have removed the copy that is lost, so that rows are compared with events.
 */
export const FIND_ROBBED = `
INSERT INTO session_arrivals (arrived, project, session_id)
SELECT now64(3, 'UTC'), project, session_id
FROM (${MAYBE_ROBBED}) AS stored
LEFT ANY JOIN (SELECT project, session_id, count() AS present
  FROM events FINAL
  PREWHERE (project, toDate(time)) IN (${daysOf(MAYBE_ROBBED)})
  WHERE (project, session_id) IN (SELECT project, session_id FROM (${MAYBE_ROBBED}))
  GROUP BY project, session_id
) AS current USING (project, session_id)
WHERE present != event_count`

/** Computes the sessions that begin from `since` until before `until`. */
export const FILL_SPAN = rowsOf(spans('1', [`least >= ${at('since')}`, `least < ${at('until')}`, IS_SHORT]))

/** The most days that one round looks at. */
export const DAYS_MAX = 1000

/** The days before `until` on which sessions begin, the latest first, with their numbers of sessions. */
export const DAYS_TO_FILL = `
SELECT toUnixTimestamp64Milli(toDateTime64(day, 3, 'UTC')) AS dayMs, toUInt32(count()) AS sessions
FROM (
  SELECT toDate(min(first)) AS day, min(first) AS least FROM sessions GROUP BY project, session_id HAVING least < ${at('until')}
)
GROUP BY day ORDER BY day DESC LIMIT ${DAYS_MAX}`

/** Counts the arrivals of the last {@link RECOUNT_MS} before an instant. */
const recount = (until: string): string =>
  `SELECT count() FROM session_arrivals WHERE arrived >= ${until} - toIntervalMillisecond(${RECOUNT_MS}) AND arrived < ${until}`

/** The coverage, the arrivals before it as of now, and the end of the arrivals that can be folded: none that a running INSERT may still add to. */
export const READ_COVERAGE = `
SELECT
  toUInt64(max(version)) AS lastVersion,
  toUnixTimestamp64Milli(argMax(covered, version)) AS coveredMs,
  toUnixTimestamp64Milli(argMax(start, version)) AS startMs,
  toUInt64(argMax(arrivals, version)) AS arrivals,
  argMax(layout, version) = ${VISIT_LAYOUT} AS isCurrent,
  toUInt64((${recount('(SELECT argMax(covered, version) FROM visit_coverage)')})) AS recounted,
  toUnixTimestamp64Milli(now64(3, 'UTC')) AS nowMs,
  least((SELECT toUnixTimestamp64Milli(min(covered)) FROM session_coverage), nowMs) AS readyMs
FROM visit_coverage`

/** The number of arrivals before `until` that a coverage records. */
export const COUNT_ARRIVALS = `SELECT toUInt64((${recount(at('until'))})) AS arrivals`

/** The number of arrivals from `since` until before `until`, and the last of as many as one fold takes. */
export const READ_ARRIVALS = `
SELECT toUInt32(count()) AS arrivals, toUnixTimestamp64Milli(max(arrived)) AS lastMs
FROM (
  SELECT arrived FROM session_arrivals
  WHERE arrived >= ${at('since')} AND arrived < ${at('until')}
  ORDER BY arrived LIMIT {sessions:UInt32}
)`

/** Records what is covered. */
export const WRITE_COVERAGE = `
INSERT INTO visit_coverage (version, covered, start, arrivals, layout)
SELECT {version:UInt64}, ${at('covered')}, ${at('start')}, {arrivals:UInt64}, ${VISIT_LAYOUT}`

/**
 * The number of coverages, the start of the latest one in milliseconds, and the age of the first arrival that is counted in no row.
 */
export const READ_VISITS_STATE = `
SELECT toUInt32(countIf(layout = ${VISIT_LAYOUT})) AS coverages,
  toFloat64(toUnixTimestamp64Milli(argMax(start, version))) AS startMs,
  toFloat64((
    SELECT if(count() = 0, 0, toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(min(arrived)))
    FROM session_arrivals WHERE arrived >= (SELECT argMax(covered, version) FROM visit_coverage)
  )) AS waitingMs
FROM visit_coverage`
