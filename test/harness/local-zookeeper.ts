import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findSystemTool } from './system-tool.ts'
import { freePort, waitFor } from './wait.ts'

/** Where Debian puts the classes, and everything that they need. */
const CLASSES = '/usr/share/java'

/** A ZooKeeper server for tests, whose protocol a ClickHouse Keeper speaks. */
export interface LocalZookeeper {
  readonly port: number
  /** Kills the server and removes its folder. */
  stop(): Promise<void>
}

/** Whether it is installed: `apt-get install libzookeeper-java default-jre-headless`. No gate installs it: Java is large. */
export function hasZookeeper(): boolean {
  return findSystemTool('java') !== undefined && existsSync(join(CLASSES, 'zookeeper.jar'))
}

/** Starts a server on a free port. */
export async function startLocalZookeeper(): Promise<LocalZookeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-zookeeper-'))
  const port = await freePort()
  const config = join(folder, 'zoo.cfg')
  const lines = [
    'tickTime=500',
    `dataDir=${folder}`,
    `clientPort=${port}`,
    'clientPortAddress=127.0.0.1',
    'admin.enableServer=false',
    '4lw.commands.whitelist=ruok',
    'maxClientCnxns=0',
  ]
  writeFileSync(config, lines.join('\n'))
  const machine = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx128m', '-cp', `${CLASSES}/*`]
  const main = 'org.apache.zookeeper.server.ZooKeeperServerMain'
  const server = spawn(findSystemTool('java') ?? 'java', [...machine, main, config], {
    cwd: folder,
    stdio: 'ignore',
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitFor('ZooKeeper to answer', async () => ((await ask(port)) === 'imok' ? true : undefined))
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}

/** A server that starts may take a connection and say nothing. */
const ANSWER_MS_MAX = 2000

async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('no answer')))
  await once(socket, 'connect')
  socket.end('ruok')
  return await text(socket)
}
