import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { urlTexts } from '../../../../test/harness/url-texts.ts'
import { parseUrl, scanUrl } from './scan-url.ts'

test.each([
  ['https://example.com', 'example.com', '/', ''],
  ['https://example.com/', 'example.com', '/', ''],
  ['http://example.com:8080/a/b.html?x=1&y#top', 'example.com', '/a/b.html', 'x=1&y'],
  ['https://example.com?x=1', 'example.com', '/', 'x=1'],
  ['https://example.com#top', 'example.com', '/', ''],
  ['https://localhost:3000/a', 'localhost', '/a', ''],
  ['HTTPS://Example.COM/A', 'example.com', '/A', ''],
  [' https://example.com/a ', 'example.com', '/a', ''],
  ['https:example.com/a', 'example.com', '/a', ''],
  ['https://user:word@example.com/a', 'example.com', '/a', ''],
  ['https://example.com/a/../b/./c', 'example.com', '/b/c', ''],
  ['https://example.com/a/%2e%2E/b', 'example.com', '/b', ''],
  ['https://example.com/.well-known/x', 'example.com', '/.well-known/x', ''],
  ['https://example.com\\a', 'example.com', '/a', ''],
  ['https://example.com/ä b', 'example.com', '/%C3%A4%20b', ''],
  ['https://exam\tple.com/a\nb', 'example.com', '/ab', ''],
  ['https://bücher.example/', 'xn--bcher-kva.example', '/', ''],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', '/', ''],
  ['http://0x7f.1/', '127.0.0.1', '/', ''],
  ['http://192.168.0.1/', '192.168.0.1', '/', ''],
  ['http://[::1]:80/a', '[::1]', '/a', ''],
  ['https://example.com./a', 'example.com.', '/a', ''],
  ['https://example.com:65535/a', 'example.com', '/a', ''],
])('%j is read', (text, hostname, pathname, query) => {
  expect(scanUrl(text)).toEqual({ hostname, pathname, query })
})

test.each([
  '',
  '/a',
  'example.com',
  'https://',
  'https:///',
  'https://?x',
  'https://exa mple.com',
  'https://example.com:65536/',
  'https://example.com:x/',
  'https://xn--a/',
  'http://1.2.3.4.5/',
  'http://256.256.256.256/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://example.com/1',
  'android-app://com.example',
  'about:blank',
])('%j is no http(s) URL', (text) => {
  expect(scanUrl(text)).toBeUndefined()
})

/** The parts, with the query as its decoded parameters: the scan leaves it as it stands. */
function parts(read: typeof scanUrl, text: string): unknown {
  const url = read(text)
  return url && { ...url, query: [...new URLSearchParams(url.query)] }
}

test('every text is split as by WHATWG URL', () => {
  fc.assert(
    fc.property(urlTexts(), (text) => {
      expect(parts(scanUrl, text)).toEqual(parts(parseUrl, text))
    }),
    { numRuns: propertyRuns(20_000) },
  )
})

test('every web URL is split as by WHATWG URL', () => {
  const url = fc.webUrl({ withFragments: true, withQueryParameters: true })
  fc.assert(
    fc.property(url, (text) => {
      expect(parts(scanUrl, text)).toEqual(parts(parseUrl, text))
    }),
    { numRuns: propertyRuns(2000) },
  )
})
