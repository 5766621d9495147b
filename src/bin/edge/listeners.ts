import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { roomOptions } from '../../edge/front/connection-limits.ts'
import { ConnectionRoom } from '../../edge/front/connection-room.ts'
import { type Connection, Front } from '../../edge/front/front.ts'
import { type Http1ClientOptions, Http1Clients } from '../../edge/front/http1-client.ts'
import type { Http1Server } from '../../edge/http1/http1-server.ts'
import type { Http2Server } from '../../edge/http2/http2-server.ts'
import { observedGauge } from '../../kernel/metrics.ts'
import type { Settings } from '../../settings/settings.ts'
import { removeRunFile } from '../../store/run-folder.ts'
import { cannotListen } from '../environment/fatal-error.ts'

/** The open ports of an edge. */
export interface Listeners {
  /** Accepts no further connection. */
  stopAccepting(): void
  /** Closes every connection once the answers on it are with the client. */
  close(): Promise<void>
}

/** Characters of a Unix socket's path: 108 bytes with the end on Linux, 104 elsewhere. */
const SOCKET_PATH_MAX = 100

/** Milliseconds that a stopping edge waits for clients to read their last answers. */
const LAST_ANSWER_MS = 1000

/** The handlers and the limits of connections. */
export interface Servers {
  readonly http1: Http1Server
  readonly http2: Http2Server
  /** How the front serves short requests and forwards all others to the HTTP/1.1 server. */
  readonly http1Clients: Omit<Http1ClientOptions, 'path'>
  readonly connectionsMax: number
}

/** Opens the ports that `SERVICE_HTTP2` selects. Throws `FatalError` when one is unavailable. */
export async function openListeners(settings: Settings, servers: Servers): Promise<Listeners> {
  const { http2: mode } = settings
  if (mode === 'on') return await openShared(settings, servers)
  await listenDirect(settings, servers.http1)
  if (mode === 'off')
    return { stopAccepting: () => servers.http1.stopAccepting(), close: async () => servers.http1.close() }
  // On a separate port, a client without HTTP/2 has used the wrong port.
  const front = createFront(settings, servers, ({ socket }) => socket.destroy())
  await listenFront(front, settings, mode.port)
  return joined(front, servers.http1)
}

/** One port for both: the front detects the protocol and forwards HTTP/1.1 through a Unix socket that only this user can open. */
async function openShared(settings: Settings, servers: Servers): Promise<Listeners> {
  const path = innerSocketPath(settings.dataDir)
  // A killed edge leaves its socket behind.
  rmSync(path, { force: true })
  if (!(await servers.http1.listenAt(path))) throw new Error(`cannot listen on the Unix socket ${path}`)
  const clients = new Http1Clients({ ...servers.http1Clients, path })
  const front = createFront(settings, servers, (connection) => clients.take(connection))
  await listenFront(front, settings, settings.serverPort)
  return {
    stopAccepting: () => front.stopAccepting(),
    close: async () => {
      clients.close()
      servers.http1.close()
      await front.untilClosed(LAST_ANSWER_MS)
      front.close()
      removeRunFile(path)
    },
  }
}

/** In the run folder; where that path is too long for a socket, in a folder of our own for temporary files. */
function innerSocketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'run', 'http1.sock')
  return path.length <= SOCKET_PATH_MAX ? path : join(mkdtempSync(join(tmpdir(), 'millrace-')), 'http1.sock')
}

function joined(front: Front, http1: Http1Server): Listeners {
  return {
    stopAccepting: () => {
      front.stopAccepting()
      http1.stopAccepting()
    },
    close: async () => {
      http1.close()
      await front.untilClosed(LAST_ANSWER_MS)
      front.close()
    },
  }
}

function createFront(
  { tlsCert, tlsKey, trustedProxies }: Settings,
  { http2, connectionsMax }: Servers,
  http1: (connection: Connection) => void,
): Front {
  const room = new ConnectionRoom(roomOptions(connectionsMax, trustedProxies))
  observedGauge(
    'millrace_connections',
    'Open client connections on the port that accepts HTTP/2.',
    () => room.size,
  )
  return new Front({
    http1,
    http2: (connection) => http2.take(connection),
    room,
    isTrustedPeer: (address) => trustedProxies.includes(address),
    ...(tlsCert !== undefined && tlsKey !== undefined ? { tls: { certPath: tlsCert, keyPath: tlsKey } } : {}),
  })
}

async function listenDirect(settings: Settings, http1: Http1Server): Promise<void> {
  const { serverHost: host, serverPort: port } = settings
  if (!(await http1.listen(host, port))) throw cannotListen({ host, port, setting: 'SERVICE_SERVER' })
}

async function listenFront(front: Front, { serverHost: host }: Settings, port: number): Promise<void> {
  try {
    await front.listen(host, port)
  } catch (error) {
    throw cannotListen({ host, port, setting: 'SERVICE_SERVER' }, error)
  }
}
