import { readdirSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../../scripts/docs-site/markdown.ts'
import { readSite } from '../../../scripts/docs-site/site.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const LANDING_PAGE = 'docs/site/landing.md'

/** Folders of the repository that hold pages; everything else is not searched for Markdown. */
const PAGE_FOLDERS: ReadonlySet<string> = new Set(['docs', 'bench'])

const site = readSite(ROOT)
const pages = site.sections.flatMap((section) => section.pages)
const rewrites = Object.fromEntries([
  [LANDING_PAGE, 'index.md'],
  ...pages.map(({ path, address }) => [path, `${address}.md`]),
])

/** The address of a file of the repository on the site; `undefined` when the site does not have it. */
function addressOf(target: string, source: string): string | undefined {
  if (/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(target)) return target
  const [file = '', anchor] = target.split('#', 2)
  const path = posix.join(posix.dirname(source), file)
  const page = pages.find((candidate) => candidate.path === path)
  return page && `/${page.address}${anchor === undefined ? '' : `#${anchor}`}`
}

export default defineConfig({
  title: site.title,
  description: 'Self-hosted product analytics: exact answers, no lost events, one process to run',
  lang: 'en',
  base: '/docs/',
  srcDir: ROOT,
  outDir: resolve(ROOT, 'dist-docs'),
  cleanUrls: true,
  // Keeps scripts out of the pages, so that a content security policy can name the few that stay.
  metaChunk: true,
  rewrites,
  srcExclude: readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !PAGE_FOLDERS.has(name) && !pages.some(({ path }) => path === name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name))
    .concat('docs/site/node_modules/**', 'bench/results/**'),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/logo.svg' }]],
  vite: {
    publicDir: resolve(ROOT, 'docs/img'),
    build: { assetsInlineLimit: 0 },
    plugins: [
      {
        // Pages become modules that import Vue, which only this folder has.
        name: 'vue-of-the-site',
        enforce: 'pre',
        async resolveId(id, _, { ssr }) {
          if (!/^vue(?:\/|$)/.test(id)) return null
          return ssr
            ? { id, external: true }
            : await this.resolve(id, import.meta.filename, { skipSelf: true })
        },
      },
    ],
  },
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { haproxy: 'nginx', text: 'txt' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config(md) {
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        // Titles are rendered without a page.
        if (env.path === undefined) return
        const source = posix.relative(ROOT, env.realPath ?? env.path)
        for (const token of tokens) {
          // The info string of a block also holds how tests run it.
          if (token.type === 'fence') token.info = token.info.split(' ', 1)[0] ?? ''
          unlinkOutside(token.children ?? [], source)
        }
      })
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'API', link: '/api/index' },
    ],
    sidebar: site.sections.map((section, index) => ({
      text: section.title,
      collapsed: index > 3,
      items: section.pages.map(({ title, address }) => ({ text: title, link: `/${address}` })),
    })),
  },
})

interface LinkToken {
  readonly type: string
  tag: string
  attrs: [string, string][] | null
}

/** Points links at the site; one that leads to a file the site does not have becomes plain text. */
function unlinkOutside(tokens: readonly LinkToken[], source: string): void {
  const isLink: boolean[] = []
  for (const token of tokens) {
    if (token.type === 'link_close' && isLink.pop() === false) token.tag = 'span'
    if (token.type !== 'link_open') continue
    const href = token.attrs?.find(([name]) => name === 'href')
    const address = href && addressOf(decodeURI(href[1]), source)
    isLink.push(address !== undefined)
    if (href && address !== undefined) href[1] = address
    else {
      token.tag = 'span'
      token.attrs = null
    }
  }
}
