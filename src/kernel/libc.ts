import { DataType, load, open } from 'ffi-rs'

const LIBC = 'libc'
// flock(2): LOCK_EX | LOCK_NB.
const LOCK_NOW = 2 | 4
const EWOULDBLOCK = process.platform === 'darwin' ? 35 : 11
const MADV_DONTNEED = 4

open({ library: LIBC, path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' })

/** Whether a lock was taken, another process holds it, or the file system has none. */
export type LockOutcome = 'taken' | 'held' | 'unsupported'

/** flock(2): locks an open file or folder exclusively for this process until the descriptor closes. Linux and macOS. */
export function lockFile(descriptor: number): LockOutcome {
  const { value, errnoCode } = load({
    library: LIBC,
    funcName: 'flock',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I32],
    paramsValue: [descriptor, LOCK_NOW],
    errno: true as const,
  })
  if (value === 0) return 'taken'
  return errnoCode === EWOULDBLOCK ? 'held' : 'unsupported'
}

/** The thread that makes a call: this one, or the next free one of libuv's pool. */
export type CallingThread = 'this' | 'pool'

/** prctl(2) with one argument; resolves to its result, negative on failure. Linux only. */
export async function prctl(call: {
  readonly option: number
  readonly argument: number
  readonly thread: CallingThread
}): Promise<number> {
  return await load({
    library: LIBC,
    funcName: 'prctl',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I64, DataType.I64, DataType.I64, DataType.I64],
    paramsValue: [call.option, call.argument, 0, 0, 0],
    runInNewThread: call.thread === 'pool',
  })
}

/** malloc_trim(3): returns the free pages of malloc to the system; whether there were any. glibc only. */
export function trimHeap(): boolean {
  const result = load({
    library: LIBC,
    funcName: 'malloc_trim',
    retType: DataType.I32,
    paramsType: [DataType.I64],
    paramsValue: [0],
  })
  return result === 1
}

/**
 * madvise(2) with MADV_DONTNEED: takes pages out of the memory of this process; whether it did. They are read again when it
 * needs them, so only those that equal their file may go. Linux only.
 */
export function dropPages(address: number, byteCount: number): boolean {
  const result = load({
    library: LIBC,
    funcName: 'madvise',
    retType: DataType.I32,
    paramsType: [DataType.I64, DataType.I64, DataType.I32],
    paramsValue: [address, byteCount, MADV_DONTNEED],
  })
  return result === 0
}

/** syscall(2) with integers and at most one structure; returns its result, negative on failure. Linux only. */
export function systemCall(number: number, args: readonly (number | Buffer)[]): number {
  return load(describeSystemCall(number, args))
}

/** {@link systemCall} in a thread of libuv's pool. */
export async function systemCallInPool(number: number, args: readonly (number | Buffer)[]): Promise<number> {
  return await load({ ...describeSystemCall(number, args), runInNewThread: true })
}

function describeSystemCall(number: number, args: readonly (number | Buffer)[]) {
  return {
    library: LIBC,
    funcName: 'syscall',
    retType: DataType.I64 as const,
    paramsType: [
      DataType.I64,
      ...args.map((arg) => (typeof arg === 'number' ? DataType.I64 : DataType.U8Array)),
    ],
    paramsValue: [number, ...args],
  }
}
