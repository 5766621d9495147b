import { DataType, load, open } from 'ffi-rs'

const LIBC = 'libc'
// flock(2): LOCK_EX | LOCK_NB.
const LOCK_NOW = 2 | 4

/** Loads the functions of this file; call it first. Linux and macOS only. */
export function openLibc(): void {
  open({ library: LIBC, path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' })
}

/**
 * Locks an open file exclusively for this process until the descriptor closes; false when another process holds the
 * lock.
 */
export function tryLockFile(descriptor: number): boolean {
  const result = load({
    library: LIBC,
    funcName: 'flock',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I32],
    paramsValue: [descriptor, LOCK_NOW],
  })
  return result === 0
}

/** prctl(2) with one argument; returns its result, negative on failure. */
export function prctl(option: number, argument: number): number {
  return load({
    library: LIBC,
    funcName: 'prctl',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I64, DataType.I64, DataType.I64, DataType.I64],
    paramsValue: [option, argument, 0, 0, 0],
  })
}

/** malloc_trim(3): returns the free pages of malloc to the system. glibc only. Whether there were any. */
export function trimHeap(): boolean {
  openLibc()
  const result = load({
    library: LIBC,
    funcName: 'malloc_trim',
    retType: DataType.I32,
    paramsType: [DataType.I64],
    paramsValue: [0],
  })
  return result === 1
}

/** syscall(2) with integers and at most one structure; returns its result, negative on failure. */
export function systemCall(number: number, args: readonly (number | Buffer)[]): number {
  return load({
    library: LIBC,
    funcName: 'syscall',
    retType: DataType.I64,
    paramsType: [
      DataType.I64,
      ...args.map((arg) => (typeof arg === 'number' ? DataType.I64 : DataType.U8Array)),
    ],
    paramsValue: [number, ...args],
  })
}
