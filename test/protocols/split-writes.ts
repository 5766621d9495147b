import { connect } from 'node:net'
import { Duplex } from 'node:stream'

/** How outgoing bytes are passed on. */
export type PassOn = (chunk: Buffer, write: (piece: Buffer) => Promise<void>) => Promise<void>

/** A connection to a port of this machine for http2.connect, on which a test decides how bytes go out. */
export function shapedConnection(port: number, passOn: PassOn): Duplex {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  const write = async (piece: Buffer): Promise<void> => {
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
  }
  const duplex = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _, done) => void passOn(chunk, write).then(() => done(), done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => {
    if (!duplex.push(chunk)) socket.pause()
  })
  socket.on('end', () => duplex.push(null))
  socket.on('error', (error) => duplex.destroy(error))
  socket.on('close', () => duplex.destroy())
  return duplex
}

/** Cuts the stream of bytes in two at an offset; what follows goes out as it comes. */
export function splitAt(offset: number): PassOn {
  let seen = 0
  return async (chunk, write) => {
    const at = offset - seen
    seen += chunk.length
    if (at <= 0 || at >= chunk.length) return await write(chunk)
    await write(chunk.subarray(0, at))
    await write(chunk.subarray(at))
  }
}
