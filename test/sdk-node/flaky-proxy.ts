import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the proxy does with a request. */
export type Treatment =
  /** Passes the request and its answer on. */
  | 'pass'
  /** Passes the request on, and breaks the connection instead of giving the answer. */
  | 'lose-answer'
  /** Breaks the connection before the service sees the request. */
  | 'refuse'

/** A proxy in front of a service on a bad network. */
export interface FlakyProxy {
  readonly url: string
  /** From now on; the function gets the number of the request, from 1. */
  treat(choose: (requestNumber: number) => Treatment): void
  /** How many requests were treated in this way. */
  count(treatment: Treatment): number
  stop(): Promise<void>
}

/** Starts a proxy that passes everything on. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const counts = { pass: 0, 'lose-answer': 0, refuse: 0 }
  let requestNumber = 0
  let choose: (requestNumber: number) => Treatment = () => 'pass'
  const server = createServer((incoming, response) => {
    const treatment = choose(++requestNumber)
    counts[treatment]++
    if (treatment === 'refuse') return void incoming.socket.destroy()
    const { method, headers, url = '' } = incoming
    const outgoing = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      if (treatment === 'lose-answer') {
        answer.resume().on('end', () => incoming.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => incoming.socket.destroy())
    incoming.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    treat: (chosen) => {
      choose = chosen
    },
    count: (treatment) => counts[treatment],
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
