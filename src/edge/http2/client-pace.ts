import { constants, type ServerHttp2Stream } from 'node:http2'

/**
 * Bytes that must come within each limit of time while a body has no end: a slow line brings them, and who only wants to
 * hold room does not. uWebSockets.js asks for ten times as many over HTTP/1.1.
 */
const PACE_BYTES = 16 * 1024

/** Lets go of a client whose body comes too slowly, before its answer or after: what is held of it is taken from all others. */
export function limitBodyPause(stream: ServerHttp2Stream, timeoutMs: number): void {
  let bytes = 0
  const timer = setTimeout(() => {
    // Who is kept waiting by the query process is not slow.
    if (stream.isPaused()) timer.refresh()
    else if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR)
    else if (!stream.headersSent) reset(stream, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    // `close` would end half an answer as if it were whole.
    else stream.destroy(new Error('the body did not come in time'))
  }, timeoutMs)
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes < PACE_BYTES) return
    bytes = 0
    timer.refresh()
  })
  const stop = (): void => clearTimeout(timer)
  stream.once('end', stop)
  stream.once('close', stop)
}

/**
 * Lets go of a client that takes nothing between two looks at an answer that waits for it, whole or in part. The limit of
 * time that streams of Node.js have would not do: any other stream of the connection puts it off.
 */
export function limitAnswerPause(stream: ServerHttp2Stream, timeoutMs: number): void {
  let left = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    const isKeptWaiting = stream.headersSent && (stream.writableEnded || stream.writableNeedDrain)
    if (isKeptWaiting && stream.writableLength >= left) return reset(stream, constants.NGHTTP2_CANCEL)
    left = isKeptWaiting ? stream.writableLength : Number.POSITIVE_INFINITY
  }, timeoutMs)
  // As much may wait again at the next look.
  stream.on('drain', () => {
    left = Number.POSITIVE_INFINITY
  })
  const stop = (): void => clearInterval(timer)
  stream.once('finish', stop)
  stream.once('close', stop)
}

/** Nobody waits until a client that may read nothing at all takes the reset. It overtakes what waits of an answer. */
function reset(stream: ServerHttp2Stream, code: number): void {
  stream.close(code)
  stream.destroy()
}
