import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LockOutcome } from '../kernel/libc.ts'

/**
 * Claims a folder for the lifetime of this process; false when another process of this machine holds it. The kernel releases the
 * claim however the process ends. It is a lock of the folder, which containers with the same volume share, and a listening Unix
 * socket, because not every file system has locks.
 */
export async function claimFolder(folder: string): Promise<boolean> {
  const descriptor = openSync(folder, 'r')
  const isClaimed = (await lockFolder(descriptor)) !== 'held' && (await claimSocket(socketPath(folder)))
  // The lock lasts as long as the descriptor is open.
  if (!isClaimed) closeSync(descriptor)
  return isClaimed
}

/** Without the library that calls libc, there is no lock. */
async function lockFolder(descriptor: number): Promise<LockOutcome> {
  try {
    return (await import('../kernel/libc.ts')).lockFile(descriptor)
  } catch {
    return 'unsupported'
  }
}

async function claimSocket(path: string): Promise<boolean> {
  // Where sockets are files, a stale one from a dead process must be detected and removed.
  if (!isAbstract(path)) {
    if (await isAnswered(path)) return false
    rmSync(path, { force: true })
  }
  return await listen(path)
}

/** Whether a process of this machine, in the same container, has claimed the folder. */
export async function isFolderClaimed(folder: string): Promise<boolean> {
  return existsSync(folder) && (await isAnswered(socketPath(folder)))
}

/** Linux has abstract sockets without a file: their names begin with a zero byte. */
function socketPath(folder: string): string {
  const name = `millrace-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
}

function isAbstract(path: string): boolean {
  return path.startsWith('\0')
}

async function listen(path: string): Promise<boolean> {
  const server = createServer((socket) => socket.destroy()).listen(path)
  try {
    await once(server, 'listening')
    server.unref()
    return true
  } catch {
    return false
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
