import { randomUUID } from 'node:crypto'
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { extractErrorAtTheEndOfChunk, parseError } from '@clickhouse/client'
import type { ClickHouseEndpoint, ClickHouseOptions } from './client.ts'
import { CLUSTER_SETTINGS } from './cluster.ts'
import { type StatementValue, writeStatementValue } from './statement-values.ts'

/** ClickHouse's settings by name. */
export type StatementSettings = Readonly<Record<string, string | number>>

/** A statement that reads rows. */
export interface ReadStatement {
  readonly query: string
  /** Values by placeholder. */
  readonly params: Readonly<Record<string, StatementValue>>
  readonly settings: StatementSettings
  /** Ends the statement. */
  readonly signal: AbortSignal
}

/** The answer to a {@link ReadStatement}. */
export interface ReadAnswer {
  /** Rows as `FORMAT JSONCompactEachRow` writes them, parsed. */
  readonly rows: readonly unknown[]
  /** ClickHouse's own counters as of the start of the answer, as JSON. */
  readonly summary: string
}

/** Runs a statement and reads its rows. Throws the error of the server or of the connection. */
export type ReadRows = (statement: ReadStatement) => Promise<ReadAnswer>

/** A pool of connections for {@link ReadRows}. */
export interface RowReader {
  readonly readRows: ReadRows
  /** Closes idle connections. */
  close(): void
}

/** A server may close a connection that has been idle for longer, at the moment of its next use. */
const IDLE_MS_MAX = 2000

/** Longer parameters are sent in the body: proxies bound the length of a URL. */
const URL_PARAMS_BYTES_MAX = 4096

/**
 * Creates the pool of an endpoint. The library's client sends the same requests, but waits for a timer before each and passes statement and
 * answer through pipelines of streams: a millisecond of waiting and as much CPU time for a question of thirty.
 */
export function createRowReader(
  { url, username = 'default', password = '', database = 'default', cluster }: ClickHouseEndpoint,
  { application, connectionsMax, requestTimeoutMs, settings: own = {} }: ClickHouseOptions,
): RowReader {
  const always: StatementSettings = {
    default_format: 'JSONCompactEachRow',
    database,
    ...(cluster === undefined ? {} : CLUSTER_SETTINGS),
    ...own,
  }
  const server = new URL(url)
  const isTls = server.protocol === 'https:'
  const pool = { keepAlive: true, maxSockets: connectionsMax, timeout: IDLE_MS_MAX }
  const agent = isTls ? new HttpsAgent(pool) : new HttpAgent(pool)
  const open = isTls ? httpsRequest : httpRequest
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'user-agent': application,
  }
  const readRows: ReadRows = async ({ query, params, settings, signal }) => {
    const { search, body, type } = writeRequest(query, params, { ...always, ...settings })
    const address = new URL(server)
    address.search = search
    const length = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
    const options = { method: 'POST', agent, signal, timeout: requestTimeoutMs }
    const request = open(address, { ...options, headers: { ...headers, ...length } } satisfies RequestOptions)
    return await receive(request, body)
  }
  return { readRows, close: () => agent.destroy() }
}

interface WrittenRequest {
  readonly search: string
  readonly type: string
  readonly body: string
}

/** Settings and short parameters are in the URL, and the statement alone is the body; otherwise both are fields of a form. */
function writeRequest(
  query: string,
  params: ReadStatement['params'],
  fixed: StatementSettings,
): WrittenRequest {
  const search = new URLSearchParams(
    Object.entries(fixed).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const values = Object.entries(params).map(([name, value]): [string, string] => [
    `param_${name}`,
    writeStatementValue(value),
  ])
  // The escapes of a URL only make it longer.
  const bytesMin = values.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0)
  if (bytesMin <= URL_PARAMS_BYTES_MAX) {
    const inUrl = new URLSearchParams(values).toString()
    if (inUrl.length <= URL_PARAMS_BYTES_MAX)
      return { search: `${search}&${inUrl}`, type: 'text/plain; charset=UTF-8', body: query }
  }
  const boundary = `millrace-${randomUUID()}`
  const all: readonly (readonly [name: string, value: string])[] = [['query', query], ...values]
  const fields = all.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const type = `multipart/form-data; boundary=${boundary}`
  return { search: search.toString(), type, body: `${fields.join('')}--${boundary}--\r\n` }
}

async function receive(request: ClientRequest, body: string): Promise<ReadAnswer> {
  return await new Promise((resolve, reject) => {
    request.once('response', (response) => readAnswer(response, resolve, reject))
    request.once('timeout', () => request.destroy(new Error('ClickHouse did not answer in time')))
    request.once('error', reject)
    request.end(body)
  })
}

function readAnswer(
  response: IncomingMessage,
  resolve: (answer: ReadAnswer) => void,
  reject: (error: unknown) => void,
): void {
  const { statusCode = 0, headers } = response
  const hasFailed = statusCode !== 200 || headers['x-clickhouse-exception-code'] !== undefined
  const lines = new RowLines(headers['x-clickhouse-exception-tag'])
  const texts: Buffer[] = []
  const fail = (error: unknown): void => {
    reject(error)
    response.destroy()
  }
  response.on('data', (chunk: Buffer) => {
    if (hasFailed) return void texts.push(chunk)
    try {
      lines.push(chunk)
    } catch (error) {
      fail(error)
    }
  })
  // ClickHouse breaks the connection off after an error that it could not announce.
  response.once('error', (error) => reject(lines.isBroken ? lines.failure : error))
  response.once('end', () => {
    if (hasFailed) return reject(parseError(Buffer.concat(texts).toString()))
    if (lines.failure) reject(lines.failure)
    else resolve({ rows: lines.rows, summary: String(headers['x-clickhouse-summary'] ?? '{}') })
  })
}

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Parses the rows of an answer as it comes. */
class RowLines {
  /** The rows so far. */
  readonly rows: unknown[] = []
  /** The beginning of a line, or the whole error that ends an answer. */
  #rest: Buffer[] = []
  readonly #exceptionTag: string | undefined
  /** Whether an error follows the rows. */
  isBroken = false

  /** ClickHouse announces how it would mark an error after the first rows. */
  constructor(exceptionTag: string | string[] | undefined) {
    this.#exceptionTag = exceptionTag === undefined ? undefined : String(exceptionTag)
  }

  /** Throws when a line is not JSON. */
  push(chunk: Buffer): void {
    let start = 0
    while (!this.isBroken) {
      const end = chunk.indexOf(NEWLINE, start)
      if (end < 0) break
      const line = this.#join(chunk.subarray(start, end))
      // The text of a row has no control characters, so that the line is the beginning of an error.
      this.isBroken = this.#exceptionTag !== undefined && line.at(-1) === CARRIAGE_RETURN
      if (this.isBroken) this.#rest.push(line, chunk.subarray(end, end + 1))
      else this.rows.push(JSON.parse(line.toString()))
      start = end + 1
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start))
  }

  /** Why there are not all rows, as far as the answer says. */
  get failure(): Error | undefined {
    if (this.isBroken) return extractErrorAtTheEndOfChunk(Buffer.concat(this.#rest), this.#exceptionTag ?? '')
    return this.#rest.length > 0
      ? new Error('the answer of ClickHouse ends in the middle of a row')
      : undefined
  }

  #join(tail: Buffer): Buffer {
    if (this.#rest.length === 0) return tail
    const line = Buffer.concat([...this.#rest, tail])
    this.#rest = []
    return line
  }
}
