import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { type CallingThread, prctl, systemCall, systemCallInPool } from '../../kernel/libc.ts'

/** The access of a confined process; missing paths are skipped. */
export type SandboxPaths = {
  /** Files and folders to read. */
  readonly readable: readonly string[]
  /** Folders with full access. */
  readonly writable: readonly string[]
  /** Whether it may open outgoing TCP connections; listening is always allowed. */
  readonly connects: boolean
}

// linux/landlock.h and the system call table, the same on x86-64 and arm64.
const CREATE_RULESET = 444
const ADD_RULE = 445
const RESTRICT_SELF = 446
const VERSION_FLAG = 1
const RULE_PATH_BENEATH = 1
const NO_NEW_PRIVILEGES = 38
const EXECUTE = 1n << 0n
const WRITE_FILE = 1n << 1n
const READ_FILE = 1n << 2n
const READ_DIR = 1n << 3n
const TRUNCATE = 1n << 14n
const CONNECT_TCP = 1n << 1n
const FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
// All rights up to REFER; the first Landlock version denies every rename between folders, which the engine needs.
const RIGHTS_OF_VERSION_2 = (1n << 14n) - 1n
const VERSION_MIN = 2
const VERSION_TRUNCATE = 3
const VERSION_NET = 4

/**
 * Confines this thread and one of libuv's pool, and threads that they start from now on, to the given paths with Landlock. False
 * when the kernel does not support it: then nothing is confined.
 */
export async function confineThreads(paths: SandboxPaths): Promise<boolean> {
  const version = systemCall(CREATE_RULESET, [0, 0, VERSION_FLAG])
  if (version < VERSION_MIN) return false
  const all = RIGHTS_OF_VERSION_2 | (version >= VERSION_TRUNCATE ? TRUNCATE : 0n)
  const ruleset = createRuleset({ all, version, connects: paths.connects })
  if (ruleset < 0) return false
  for (const path of paths.readable) allowPath(ruleset, path, (EXECUTE | READ_FILE | READ_DIR) & all)
  for (const path of paths.writable) allowPath(ruleset, path, all)
  const confined = (await restrict(ruleset, 'pool')) && (await restrict(ruleset, 'this'))
  closeSync(ruleset)
  return confined
}

async function restrict(ruleset: number, thread: CallingThread): Promise<boolean> {
  if ((await prctl({ option: NO_NEW_PRIVILEGES, argument: 1, thread })) !== 0) return false
  const call = thread === 'pool' ? systemCallInPool : systemCall
  return (await call(RESTRICT_SELF, [ruleset, 0])) === 0
}

function createRuleset(of: {
  readonly all: bigint
  readonly version: number
  readonly connects: boolean
}): number {
  // struct landlock_ruleset_attr: u64 handled_access_fs, u64 handled_access_net.
  const attributes = Buffer.alloc(of.version >= VERSION_NET ? 16 : 8)
  attributes.writeBigUInt64LE(of.all, 0)
  if (of.version >= VERSION_NET && !of.connects) attributes.writeBigUInt64LE(CONNECT_TCP, 8)
  return systemCall(CREATE_RULESET, [attributes, attributes.length, 0])
}

function allowPath(ruleset: number, path: string, rights: bigint): void {
  if (!existsSync(path)) return
  const descriptor = openSync(path, 'r')
  // struct landlock_path_beneath_attr, packed: u64 allowed_access, s32 parent_fd.
  const rule = Buffer.alloc(12)
  rule.writeBigUInt64LE(statSync(path).isDirectory() ? rights : rights & FILE_RIGHTS, 0)
  rule.writeInt32LE(descriptor, 8)
  const result = systemCall(ADD_RULE, [ruleset, RULE_PATH_BENEATH, rule, 0])
  closeSync(descriptor)
  if (result !== 0) throw new Error(`Landlock refused the rule for ${path}`)
}
