import { posix } from 'node:path'
import type { Page, Section, Site } from './site.ts'

/** A page of the site as a whole HTML file: navigation, content, contents and neighbours; no script. */
export function renderPage(site: Site, page: Page): string {
  const root = posix.relative(posix.dirname(page.output), '.') || '.'
  const title = page.output === 'index.html' ? site.title : `${page.title} · ${site.title}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${root}/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="brand" href="${root}/index.html">${escapeHtml(site.title)}</a></header>
<div class="columns">
<nav class="pages" aria-label="Pages">
${site.sections.map((section) => renderSection(section, page)).join('\n')}
</nav>
<main id="content">
${page.html}${renderNeighbours(site, page)}
</main>
${renderContents(page)}
</div>
</body>
</html>
`
}

/** A section is folded unless the page is in it: the navigation of a long reference stays short. */
function renderSection({ title, pages }: Section, current: Page): string {
  const items = pages.map((page) => `<li>${renderLink(current, page)}</li>`).join('\n')
  const state = pages.includes(current) || pages.length <= FOLDED_FROM ? ' open' : ''
  return `<details${state}><summary>${escapeHtml(title)}</summary>\n<ul>\n${items}\n</ul></details>`
}

const FOLDED_FROM = 7

function renderLink(from: Page, to: Page): string {
  const current = from === to ? ' aria-current="page"' : ''
  const href = posix.relative(posix.dirname(from.output), to.output)
  return `<a href="${escapeHtml(href)}"${current}>${escapeHtml(to.title)}</a>`
}

function renderContents({ headings }: Page): string {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ text, anchor }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`)
  if (items.length < 2) return ''
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`
}

function renderNeighbours(site: Site, page: Page): string {
  const pages = site.sections.flatMap((section) => section.pages)
  const index = pages.indexOf(page)
  const [before, after] = [pages[index - 1], pages[index + 1]]
  const links = [
    before && `<span>← ${renderLink(page, before)}</span>`,
    after && `<span class="next">${renderLink(page, after)} →</span>`,
  ].filter((link) => link !== undefined)
  return `<nav class="neighbours" aria-label="Neighbouring pages">${links.join('\n')}</nav>`
}

/** A text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
