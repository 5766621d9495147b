import { addColumns } from './020-visit-pages.ts'
import type { Layout } from './layout.ts'

/** Maximum events of a path: an id in constant use may have any number of them. */
export const PATH_EVENTS_MAX = 1000

/**
 * The path of a visit: of each of its events in order, the label of the kind, the label of the page, shifted by four bits, with 1 for a page view
 * (0 without a page), and the milliseconds since the start. Labels are the upper 60 bits of hashes, as user flows have them. The lists are empty when there are more
 * than {@link PATH_EVENTS_MAX} events, and when two have no order because they have one time and id.
 */
const COLUMNS = [
  'path_kinds Array(UInt64) CODEC(ZSTD(1))',
  'path_pages Array(UInt64) CODEC(ZSTD(1))',
  'path_offsets Array(UInt32) CODEC(ZSTD(1))',
  'cookieless_count UInt32',
] as const

/** Adds to a visit its path, and the number of its events of cookieless visitors. */
export const addVisitPaths = (layout: Layout): readonly string[] => addColumns('visits', COLUMNS, layout)
