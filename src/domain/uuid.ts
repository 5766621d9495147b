// A file of its own: the console imports hand-written code of the contract only through this layer.

/** Whether a text is a UUID. */
export { isUuid } from '../contract/ids.ts'
