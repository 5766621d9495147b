import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A real site: browsers send nothing at the end of pages whose requests are intercepted. */
export interface Site {
  readonly url: string
  stop(): Promise<void>
}

const PAGE =
  '<!doctype html><title>Lamps</title><body><button id="buy" type="button">Buy</button><script src="/sdk.js"></script></body>'

/** Starts a site, every page of which loads a script. */
export async function startSite(script: string): Promise<Site> {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/sdk.js'
    const type = isScript ? 'text/javascript' : 'text/html'
    response.writeHead(url === '/favicon.ico' ? 404 : 200, { 'content-type': `${type}; charset=utf-8` })
    response.end(isScript ? script : PAGE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Some SDKs are silent on an address or on `localhost` alone.
    url: `http://shop.localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
