import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { urlTexts } from '../../../../test/harness/url-texts.ts'
import { SourceText } from '../../encode/source-text.ts'
import type { Derivation } from '../../event/event-row.ts'
import { ReferrerReader } from './referrer.ts'
import { UrlReader } from './url-facts.ts'

/** Readers that stay for all texts: what is kept of one must not leak into another. */
const READERS: readonly (readonly [string, Derivation<unknown>])[] = [
  ['the URL of a page', new UrlReader(8)],
  ['a referrer', new ReferrerReader(8)],
]

function ofBytes(reader: Derivation<unknown>, text: string): unknown {
  const source = new SourceText()
  const start = source.tail
  return reader.ofBytes(source, start, source.add(text))
}

const CAMPAIGN = fc
  .array(
    fc.tuple(
      fc.constantFrom('utm_source', 'utm_medium', 'gclid', 'x', '%75tm_source', 'UTM_SOURCE', ''),
      fc.oneof(
        fc.constantFrom('google', 'e-mail', 'a+b', '%C3%A4', '%zz', '', 'ä', '<'),
        fc.string({ maxLength: 3 }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

const TEXTS = fc.oneof(
  urlTexts(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  CAMPAIGN.map((query) => `https://example.com/a?${query}#top`),
  fc.tuple(urlTexts(), CAMPAIGN).map(([url, query]) => `${url}?${query}`),
  urlTexts().map((text) => `android-app://${text}`),
)

test.each(READERS)('%s has the same facts by its bytes as by WHATWG URL', (_, reader) => {
  fc.assert(
    fc.property(TEXTS, (text) => {
      // UTF-8 has no lone surrogates.
      const wellFormed = text.toWellFormed()
      const expected = reader.ofText(wellFormed)
      expect(ofBytes(reader, wellFormed)).toEqual(expected)
      // The second time, what was kept answers.
      expect(ofBytes(reader, wellFormed)).toEqual(expected)
    }),
    { numRuns: propertyRuns(3000) },
  )
})

test.each(['https://a.example/x?utm_source=s', 'https://a.example/x?utm_source=s#y', 'https://a.example/x'])(
  'the bytes after %s do not matter',
  (text) => {
    const reader = new UrlReader(8)
    const source = new SourceText()
    const start = source.tail
    const length = source.add(text)
    source.add('?utm_source=other#')
    expect(reader.ofBytes(source, start, length)).toEqual(reader.ofText(text))
  },
)

test('pages and queries are kept: the second event of each has the same objects', () => {
  const reader = new UrlReader(8)
  const first = ofBytes(reader, 'https://a.example/x?utm_source=s') as ReturnType<UrlReader['ofText']>
  const second = ofBytes(reader, 'https://a.example/x?utm_source=s#y') as ReturnType<UrlReader['ofText']>
  expect(second?.page).toBe(first?.page)
  expect(second?.campaign).toBe(first?.campaign)
})
