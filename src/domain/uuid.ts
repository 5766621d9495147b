// A file of its own: the console imports hand-written code of the contract only through this layer.

/** Whether a text is a UUID, and the session id of an event without a session. */
export { isUuid, NO_SESSION } from '../contract/ids.ts'
