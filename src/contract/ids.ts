declare const brand: unique symbol

/** A primitive that must not be mixed with another of the same shape. */
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Number of a project: the tenant key of every row (UInt32). */
export type ProjectId = Branded<number, 'ProjectId'>

/** Marks a number that came from the catalog as a project's. */
export function asProjectId(value: number): ProjectId {
  return value as ProjectId
}

/** Id of a person who uses the console (UUID text). */
export type CustomerId = Branded<string, 'CustomerId'>

/** Marks a text that came from the catalog, or from a token that we signed, as a customer's id. */
export function asCustomerId(value: string): CustomerId {
  return value as CustomerId
}

/** Id of an organisation (UUID text). */
export type OrganisationId = Branded<string, 'OrganisationId'>

/** Marks a text that came from the catalog as an organisation's id. */
export function asOrganisationId(value: string): OrganisationId {
  return value as OrganisationId
}
