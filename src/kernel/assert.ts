/** Throws when an internal invariant does not hold; never for input validation. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}

/** Ends a `switch` over a closed union: a missing case becomes a type error. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
