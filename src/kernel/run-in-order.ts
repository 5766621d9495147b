/**
 * Does work on each item, on several at once, and begins in the order of the items. Rejects with the first failure; no work
 * begins after one.
 */
export async function runInOrder<T>(
  items: Iterable<T>,
  countMax: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let isFailed = false
  const takeTurns = async (): Promise<void> => {
    for (let turn = rest.next(); turn.done !== true && !isFailed; turn = rest.next()) {
      try {
        await work(turn.value)
      } catch (error) {
        isFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: countMax }, takeTurns))
}
