import { request } from 'node:http'
import { createServer } from 'node:net'
import type { EngineUser } from './endpoint.ts'

/** One HTTP answer of the engine. */
export type EngineAnswer = { readonly status: number; readonly body: string }

const REQUEST_TIMEOUT_MS = 5_000

/** A port of 127.0.0.1 that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Whether a port of 127.0.0.1 is free to listen on now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Whether the engine answers /ping; false while nothing listens. */
export async function isListening(url: string): Promise<boolean> {
  try {
    return (await send(`${url}/ping`)).status === 200
  } catch {
    return false
  }
}

/** Runs one statement and returns the raw response; throws the socket's error. */
export function runStatement(url: string, user: EngineUser, sql: string): Promise<EngineAnswer> {
  return send(`${url}/?database=system`, user, sql)
}

function send(url: string, user?: EngineUser, sql?: string): Promise<EngineAnswer> {
  const headers =
    user === undefined ? {} : { 'X-ClickHouse-User': user.user, 'X-ClickHouse-Key': user.password }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const method = sql === undefined ? 'GET' : 'POST'
    const outgoing = request(url, { method, headers, agent: false, signal }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    outgoing.on('error', reject).end(sql)
  })
}
