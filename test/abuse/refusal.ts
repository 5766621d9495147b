import { type Answered, parseObject } from './client.ts'
import { claim } from './statement.ts'

/** Texts of libraries, languages and machines, which no answer should contain. */
const INNER_WORDS =
  /<html|<!doctype|uWebSockets|nghttp2|undici|node:|\bat .*\.[jt]s:\d|ClickHouse|DB::|SQLITE|SQLite|ECONN|EMFILE|ENOENT|\/src\/|node_modules|TypeError|RangeError|SyntaxError|Unexpected token|Maximum call stack|zlib|Z_BUF|BrotliDecompress|stack/i

/** Throws unless an answer is a refusal in the form of the protocol, of one of these statuses, without internal texts. */
export function checkRefusal(answered: Answered, statuses: readonly number[]): void {
  const text = answered.body.toString()
  claim(
    statuses.includes(answered.status),
    () => `answered with ${answered.status} ${text.slice(0, 200)}, not with ${statuses.join(' or ')}`,
  )
  const { code, message } = parseObject(text)
  claim(typeof code === 'string', () => `the answer ${answered.status} has no code: ${text.slice(0, 200)}`)
  claim(
    typeof message === 'string' || message === undefined,
    () => `the message is ${JSON.stringify(message)}`,
  )
  checkWords(answered)
}

/** Throws when the body or the message of an answer contains internal texts; another statement checks header names. */
export function checkWords({ body, headers }: Pick<Answered, 'body' | 'headers'>): void {
  const { 'grpc-message': message = '' } = headers
  const text = `${message} ${body.toString().slice(0, 20_000)}`
  const words = innerWordsOf(text)
  claim(words === undefined, () => `the answer contains ${JSON.stringify(words)}: ${text.slice(0, 300)}`)
}

/** The first internal text in an answer. */
export function innerWordsOf(text: string): string | undefined {
  return INNER_WORDS.exec(text)?.[0]
}
