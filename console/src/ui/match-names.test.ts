import { describe, expect, it } from 'vitest'
import { matchNames } from './match-names.ts'

const EVENTS = [
  { label: 'gift_purchase', count: 61 },
  { label: 'purchase_refunded', count: 188 },
  { label: 'Purchase', count: 4612 },
  { label: 'page_view', count: 90_000 },
]

function check(typed: string, expected: readonly string[]): void {
  const shown = matchNames(EVENTS, typed).map(
    ({ entry: { label }, from, to }) => `${label.slice(0, from)}[${label.slice(from, to)}]${label.slice(to)}`,
  )
  expect(shown).toEqual(expected)
}

describe('matchNames', () => {
  it('puts names that start with the text first, then the most frequent', () => {
    check('pur', ['[Pur]chase', '[pur]chase_refunded', 'gift_[pur]chase'])
  })

  it.each(['PAGEVIEW', 'page view', 'page-view', 'Page_View', ' pagev iew '])(
    'ignores case, underscores, hyphens and spaces in %j',
    (typed) => check(typed, ['[page_view]']),
  )

  it('marks what was typed, with the characters it ignored in between', () => {
    check('ftpu', ['gi[ft_pu]rchase'])
  })

  it('keeps the order and marks nothing while nothing is typed', () => {
    check('_', ['[]gift_purchase', '[]purchase_refunded', '[]Purchase', '[]page_view'])
  })

  it('finds nothing where the text is not', () => {
    check('purx', [])
  })

  it('marks the right part behind a character that is longer in lower case', () => {
    const [match] = matchNames([{ label: 'İstanbul' }], 'bul')
    expect([match?.from, match?.to]).toEqual([5, 8])
  })
})
