import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anchorOf } from './markdown.ts'
import { readSite } from './site.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-site-'))
})

afterEach(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  const map = { title: 'T', sections: [{ title: 'All', folder: 'docs' }], titles: {}, addresses: {} }
  const all = { 'docs/site/pages.json': JSON.stringify(map), ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

test('no link of the documentation is broken', () => {
  expect(readSite(REPOSITORY).broken).toEqual([])
})

test('every page has one heading of level 1, and an entry in the navigation', () => {
  const pages = readSite(REPOSITORY).sections.flatMap((section) => section.pages)
  const wrong = pages.filter(({ headings }) => headings.filter(({ level }) => level === 1).length !== 1)
  expect(wrong.map(({ path }) => path)).toEqual([])
  expect(pages.map(({ path }) => path)).toContain('docs/adr/0001-pinned-runtime.md')
  expect(new Set(pages.map(({ address }) => address)).size).toBe(pages.length)
})

test('every page of the folder is in the navigation, and the first page leads to it', () => {
  const files = readdirSync(join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = readSite(REPOSITORY).sections.flatMap((section) => section.pages)
  const paths = new Set(pages.map(({ path }) => path))
  expect(files.filter((name) => !paths.has(`docs/${name}`))).toEqual([])
  const overview = pages.find(({ path }) => path === 'docs/index.md')
  expect(files.filter((name) => name !== 'index.md' && !overview?.targets.includes(name))).toEqual([])
})

test.each([
  ['a page that is not there', '[x](b.md)', 'b.md is not there'],
  ['an anchor of its own that is not there', '[x](#b)', '#b has no such heading'],
  ['an anchor of another page that is not there', '[x](index.md#c)', 'index.md#c has no such heading'],
  ['a picture that is not there', '![x](img/a.svg)', 'img/a.svg is not there'],
  ['a file outside of the repository', '[x](../../../etc/passwd)', '../../../etc/passwd is not there'],
])('a link to %s is broken', (_, link, fault) => {
  write({ 'docs/index.md': '# One\n', 'docs/a.md': `# A\n\n${link}\n` })
  expect(readSite(root).broken).toEqual([`docs/a.md: ${fault}`])
})

test('equal headings have different anchors', () => {
  write({ 'docs/index.md': '# One\n\n## Same\n\n## Same\n\n[x](#same-1)\n' })
  const site = readSite(root)
  expect(site.sections[0]?.pages[0]?.headings.map(({ anchor }) => anchor)).toEqual(['one', 'same', 'same-1'])
  expect(site.broken).toEqual([])
})

test.each([
  ['How it works', 'how-it-works'],
  ['`Query`: what, and why?', 'query-what-and-why'],
  ['6. Größe', '6-größe'],
])('the anchor of %s is %s', (text, anchor) => {
  expect(anchorOf(text)).toBe(anchor)
})
