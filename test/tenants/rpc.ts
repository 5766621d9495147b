import { randomUUID } from 'node:crypto'
import { type DescMethod, fromJson, type JsonValue, type Message, toJsonString } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { BadRequestSchema, ErrorInfoSchema } from '../../src/contract/gen/google/rpc/error_details_pb.js'

/** How a call ended. */
export interface Outcome {
  /** `ok`, or the code and the reason of the error. */
  readonly verdict: string
  /** The answer, all messages of a stream, or message and details of the error, as text. */
  readonly text: string
}

/** Where and as whom to call. */
export interface Callee {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Calls a method of any kind with a message in proto JSON. */
export async function callMethod(
  method: DescMethod,
  request: JsonValue,
  { url, headers }: Callee,
): Promise<Outcome> {
  const client: Record<string, (message: Message, options: object) => unknown> = createClient(
    method.parent,
    createConnectTransport({ baseUrl: url, httpVersion: '1.1' }),
  )
  const options = { headers: { 'x-request-id': randomUUID(), ...headers }, timeoutMs: 30_000 }
  try {
    const answer = client[method.localName]?.(fromJson(method.input, request), options)
    const messages: Message[] = []
    if (method.methodKind === 'unary') messages.push((await answer) as Message)
    else for await (const message of answer as AsyncIterable<Message>) messages.push(message)
    return { verdict: 'ok', text: messages.map((message) => toJsonString(method.output, message)).join('\n') }
  } catch (thrown) {
    return describeError(ConnectError.from(thrown))
  }
}

function describeError(error: ConnectError): Outcome {
  const [info] = error.findDetails(ErrorInfoSchema)
  const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations)
  const code = Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
  const fields = violations.map(({ field, description }) => `${field}: ${description}`)
  const metadata = JSON.stringify(info?.metadata ?? {})
  return {
    verdict: `${code} ${info?.reason ?? ''}`.trimEnd(),
    text: [error.rawMessage, ...fields, metadata, `${error.details.length} details`].join('\n'),
  }
}
