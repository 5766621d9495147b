import { isbot } from 'isbot'

/**
 * Names of HTTP libraries, which the list counts as bots. A library runs no page: a program that calls this service through one
 * was written to send events, such as an app, a server or a test.
 */
const LIBRARIES = [
  'aiohttp',
  'alamofire',
  'apache-httpclient',
  'axios',
  'cfnetwork',
  'curl',
  'dalvik',
  'dart',
  'deno',
  'go-http-client',
  'got',
  'guzzlehttp',
  'httpie',
  'java',
  'ktor',
  'ktor-client',
  'libcurl',
  'node',
  'node-fetch',
  'okhttp',
  'postmanruntime',
  'python',
  'python-httpx',
  'python-requests',
  'python-urllib',
  'reqwest',
  'ruby',
  'undici',
  'unityplayer',
  'wget',
]

/** The first product of a user agent, or okhttp behind the name of an app. */
const LIBRARY = new RegExp(`^(?:${LIBRARIES.join('|')})(?:[/ ]|$)|^[^(]* okhttp/`, 'i')

/** Whether a user agent is that of a crawler, a monitor or an automated browser; takes about 5 µs, so cache the result. */
export function isBotAgent(userAgent: string): boolean {
  return isbot(userAgent) && !LIBRARY.test(userAgent)
}
