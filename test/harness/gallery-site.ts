import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadAssets } from '../../src/query/console/assets.ts'
import { SECURITY_HEADERS } from '../../src/query/console/security-headers.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The gallery of components on a separate port. */
export interface GallerySite {
  readonly url: string
  close(): Promise<void>
}

/** Builds the gallery and serves it as the service serves the console: with its security headers. */
export async function startGallery(): Promise<GallerySite> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-gallery-'))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const config = join(ROOT, 'console/vite.config.ts')
  const words = ['build', '--config', config, '--mode', 'gallery', '--outDir', folder, '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stderr } = spawnSync(process.execPath, [vite, ...words], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the gallery could not be built: ${stderr}`)
  const assets = loadAssets(folder)
  const server = createServer((request, response) => {
    const asset = assets.get(new URL(request.url ?? '/', 'http://gallery').pathname)
    if (!asset) return void response.writeHead(404).end()
    response
      .writeHead(200, [['content-type', asset.contentType], ...SECURITY_HEADERS].flat())
      .end(asset.plain)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/gallery.html`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
