// A file of its own: the console imports hand-written code of the contract only through this layer.

/** The name that a kind was made from, to show it. */
export { decodeKindName } from '../contract/kind-names.ts'
