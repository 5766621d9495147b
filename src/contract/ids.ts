declare const brand: unique symbol

/** A primitive that must not be mixed with another of the same shape. */
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Number of a project: the tenant key of every row (UInt32). */
export type ProjectId = Branded<number, 'ProjectId'>

/** Marks a number that came from the catalog as a project's. */
export function asProjectId(value: number): ProjectId {
  return value as ProjectId
}
