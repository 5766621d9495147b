import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { BATCH_CREATE } from '../harness/events.ts'
import type { Ending } from './ledger.ts'

/** Where and how a batch is sent. */
export interface SendOptions {
  readonly url: string
  readonly apiKey: string
  readonly agent: Agent
  /** Without an answer by then, the client gives the connection up. */
  readonly timeoutMs: number
  /** The client goes away when everything is written, without waiting for the answer. */
  readonly hangsUp: boolean
}

/** How a request ended; `detail` is a status with its code, or the name of the connection's error. */
export interface SendOutcome {
  readonly ending: Ending
  readonly detail: string
  /** `accepted` of the answer. */
  readonly accepted: number
  readonly retryAfter: string | undefined
}

/** Sends one BatchCreate. Never rejects. */
export async function sendBatch(body: Buffer, options: SendOptions): Promise<SendOutcome> {
  return await new Promise((resolve) => {
    const broken = (error: Error): void => resolve(lost('code' in error ? String(error.code) : error.message))
    const call = open(body, options)
    call.setTimeout(options.timeoutMs, () => call.destroy(new Error('no answer in time')))
    call.on('error', broken)
    call.on('response', (response) => {
      readText(response).then((text) => resolve(toOutcome(response, text)), broken)
    })
    call.end(body, () => {
      if (options.hangsUp) call.destroy(new Error('the client hung up'))
    })
  })
}

function open(body: Buffer, { url, agent, apiKey }: SendOptions): ClientRequest {
  return request(`${url}/${BATCH_CREATE}`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'connect-protocol-version': '1',
      'x-api-key': apiKey,
    },
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  if (!response.complete) throw new Error('the answer is cut')
  return Buffer.concat(chunks).toString('utf8')
}

function toOutcome({ statusCode, headers }: IncomingMessage, text: string): SendOutcome {
  const retryAfter = headers['retry-after']
  if (statusCode !== 200) {
    const detail = `${statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'no code'}`
    return { ending: 'refused', detail, accepted: 0, retryAfter }
  }
  const answer: { readonly accepted?: number } = JSON.parse(text)
  return { ending: 'acknowledged', detail: '200', accepted: answer.accepted ?? 0, retryAfter }
}

function lost(detail: string): SendOutcome {
  return { ending: 'unknown', detail, accepted: 0, retryAfter: undefined }
}
