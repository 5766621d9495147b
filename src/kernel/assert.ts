/** Throws when an invariant of our own code does not hold; never used on input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}

/** Ends a `switch` over a closed union: a missing case is a type error. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
