/** Options of an `LRUCache` that bound its entries. */
interface EntryLimit {
  readonly maxSize: number
  readonly sizeCalculation: () => number
}

const ONE = (): number => 1

/**
 * Bounds an `LRUCache` to a number of entries, for caches of thousands. With its own option `max` a cache takes the memory of all
 * of them at once, up to 40 bytes each: those of an idle service had some ten megabytes.
 */
export function entriesUpTo(count: number): EntryLimit {
  return { maxSize: count, sizeCalculation: ONE }
}
