import { constants, type ServerHttp2Stream } from 'node:http2'

/**
 * Bytes that must arrive within each time limit while a body is incomplete: a slow line delivers them, a client that only
 * occupies room does not. uWebSockets.js requires ten times as many over HTTP/1.1.
 */
const PACE_BYTES = 16 * 1024

/** Drops a client whose body arrives too slowly, before or after its answer: its held bytes take room from all others. */
export function limitBodyPause(stream: ServerHttp2Stream, timeoutMs: number): void {
  let bytes = 0
  const timer = setTimeout(() => {
    // A client that waits for the query process is not slow.
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
 * Drops a client that reads nothing of a waiting answer between two checks. The stream timeout of Node.js does not suffice:
 * any other stream of the connection resets it.
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

/** Does not wait for the client, which may not read at all. The reset overtakes the rest of an answer. */
function reset(stream: ServerHttp2Stream, code: number): void {
  stream.close(code)
  stream.destroy()
}
