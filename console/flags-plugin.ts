import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const NAME = 'virtual:flags'
const COUNTRY = /^(?<code>[A-Z]{2})\.svg$/

/**
 * Gives the console the flags of countries as files of its own, so that a page loads only those that it shows. The folder
 * name contains the version of the package, because browsers keep files of `/assets` for good.
 */
export function flags(): Plugin {
  const require = createRequire(import.meta.url)
  const root = dirname(require.resolve('country-flag-icons/package.json'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const path = `assets/flags-${version}`
  const codes = readdirSync(join(root, '3x2')).flatMap((name) => COUNTRY.exec(name)?.groups?.code ?? [])
  const read = (code: string): Buffer => readFileSync(join(root, '3x2', `${code}.svg`))
  return {
    name: 'flags',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? writeModule(path, codes) : undefined),
    generateBundle() {
      for (const code of codes)
        this.emitFile({ type: 'asset', fileName: `${path}/${code}.svg`, source: read(code) })
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${path}`, (request, response, next) => {
        const code = COUNTRY.exec(request.url?.slice(1) ?? '')?.groups?.code
        if (code === undefined || !codes.includes(code)) return next()
        response.setHeader('content-type', 'image/svg+xml').end(read(code))
      })
    },
  }
}

function writeModule(path: string, codes: readonly string[]): string {
  return `export const FLAGS = { folder: '/${path}', codes: '${codes.join(' ')}' }`
}
