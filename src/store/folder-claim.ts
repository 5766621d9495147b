import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Claims a folder for this process, for as long as it lives; false when another process of this machine holds it. The
 * claim is a Unix socket that listens: the kernel takes it back however the process ends.
 */
export async function claimFolder(folder: string): Promise<boolean> {
  const name = `millrace-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  // Linux has sockets without a file; elsewhere the file of a dead process must be found out and removed.
  if (process.platform === 'linux') return await listen(`\0${name}`)
  const path = join(tmpdir(), `${name}.sock`)
  if (await isAnswered(path)) return false
  rmSync(path, { force: true })
  return await listen(path)
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
