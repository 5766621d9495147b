/** The names of what a page keeps, in a module of their own: the bundler writes them where they are used. */

/** The anonymous id, until the person is known and afterwards. */
export const ANONYMOUS = 'anonymous'
/** The id that the application gave to `identify`. */
export const USER = 'user'
/** The visit: its id, and the time of its last event. */
export const SESSION = 'session'
/** How many events found no room. */
export const LOST = 'lost'
/**
 * Waiting events, in segments: events with their common fields, written once and sent once. A key goes on with
 * `<uuid>:<events>:<chars>`, so that counting reads no texts.
 */
export const EVENTS = 'e:'
/** Calls of Identify; a key goes on with `<uuid>`. */
export const PERSONS = 'p:'
