/**
 * Processes items with limited concurrency and starts them in order. Rejects with the first failure; no further item
 * starts after it.
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
