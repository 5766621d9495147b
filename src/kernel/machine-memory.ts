import { totalmem } from 'node:os'

/** Bytes of memory that this process and its children may use: of the machine, or of the container if that has fewer. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
