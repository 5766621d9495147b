import type { Layout } from './layout.ts'

/**
 * Bound between the versions of the values that `traits_once` sets, below it, and of all others. The greatest version wins, so that a
 * value that was set, or a removal, wins over all of the former, whenever they arrive.
 */
const ONCE_VERSIONS_END = 2n ** 60n

/** Receive times count down to this one in the versions of `traits_once`, so that the first one is the greatest. */
const LAST_MICROS = 2n ** 52n

/** The receive time in microseconds of a row of `traits`. */
export const TRAIT_RECEIVED_TEXT = `if(version < ${ONCE_VERSIONS_END}, ${LAST_MICROS} - toInt64(bitShiftRight(version, 8)), toInt64(bitShiftRight(version, 12)))`

/** The last bits are of the value: of two simultaneous ones the same wins everywhere, and a removal wins over both. */
const SET_VERSION = 'bitOr(bitShiftLeft(toUInt64(received), 12), sipHash64(value) % 4095)'
const REMOVED_VERSION = 'bitOr(bitShiftLeft(toUInt64(received), 12), 4095)'
const ONCE_VERSION = `bitOr(bitShiftLeft(toUInt64(${LAST_MICROS} - received), 8), bitAnd(sipHash64(value), 255))`

const RECEIVED = `fromUnixTimestamp64Milli(intDiv(received, 1000), 'UTC')`

/**
 * Traits that are set only where nothing has set or removed them, and traits that are removed: their row has the empty text, which is
 * no JSON.
 */
export const addTraitOperations = ({ on }: Layout): readonly string[] => [
  `
ALTER TABLE identifies${on}
  ADD COLUMN IF NOT EXISTS traits_once Map(String, String) AFTER traits,
  ADD COLUMN IF NOT EXISTS removed_traits Array(String) AFTER traits_once`,
  `
ALTER TABLE traits_of_identifies${on} MODIFY QUERY
SELECT
  project,
  sipHash64(project, external_id) AS user_hash,
  tupleElement(operation, 1) AS key,
  tupleElement(operation, 2) AS value,
  tupleElement(operation, 3) AS version
FROM identifies
ARRAY JOIN arrayConcat(
  arrayMap((key, value) -> (key, value, ${SET_VERSION}), mapKeys(traits), mapValues(traits)),
  arrayMap((key, value) -> (key, value, ${ONCE_VERSION}), mapKeys(traits_once), mapValues(traits_once)),
  arrayMap(key -> (key, '', ${REMOVED_VERSION}), removed_traits)
) AS operation`,
  `
ALTER TABLE profiles_of_identifies${on} MODIFY QUERY
SELECT
  project,
  sipHash64(project, external_id) AS user_hash,
  external_id,
  profile_id,
  ${RECEIVED} AS created,
  if(empty(traits) AND empty(removed_traits), fromUnixTimestamp64Milli(0, 'UTC'), ${RECEIVED}) AS updated,
  ${RECEIVED} AS identified
FROM identifies`,
]
