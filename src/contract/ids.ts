declare const brand: unique symbol

/** A primitive that must not be mixed with another of the same shape. */
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** Number of a project: the tenant key of every row (UInt32). */
export type ProjectId = Branded<number, 'ProjectId'>

/** Brands a number from the catalog as a project id. */
export function asProjectId(value: number): ProjectId {
  return value as ProjectId
}

/** Id of a user's account (UUID text). */
export type CustomerId = Branded<string, 'CustomerId'>

/** Brands a text from the catalog, or from a token of this service, as an account id. */
export function asCustomerId(value: string): CustomerId {
  return value as CustomerId
}

/** Id of an organisation (UUID text). */
export type OrganisationId = Branded<string, 'OrganisationId'>

/** Brands a text from the catalog as an organisation id. */
export function asOrganisationId(value: string): OrganisationId {
  return value as OrganisationId
}

/** The session id of an event that belongs to no session, such as one that a server sends: the nil UUID. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID: 8-4-4-4-12 hexadecimal digits of either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether a text is a UUID in lower case, as this service writes them. */
export function isCanonicalUuid(text: string): boolean {
  return UUID.test(text) && text === text.toLowerCase()
}

/** The form of a project id in a header: within UInt32, so that every database accepts it. */
const PROJECT_ID = /^[1-9]\d{0,8}$/

/** The project id in a text; `undefined` for any other text. */
export function parseProjectId(text: string): ProjectId | undefined {
  return PROJECT_ID.test(text) ? asProjectId(Number(text)) : undefined
}
