import { expect, test } from 'vitest'
import { siteOf } from './site.ts'

test.each([
  ['example.com', 'example.com'],
  ['www.example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['www.example.co.uk', 'example.co.uk'],
  ['shop.example.com.br', 'example.com.br'],
  ['example.co.uk', 'example.co.uk'],
  ['co.uk', 'co.uk'],
  ['www.example.de', 'example.de'],
  ['a.b.kobe.jp', 'a.b.kobe.jp'],
  ['www.city.kobe.jp', 'city.kobe.jp'],
  ['www.example.gov.uk', 'example.gov.uk'],
  ['under_score.example.com', 'example.com'],
  ['alice.github.io', 'alice.github.io'],
  ['www.alice.github.io', 'alice.github.io'],
  ['github.io', 'github.io'],
  ['localhost', 'localhost'],
  ['192.168.0.1', '192.168.0.1'],
  ['[::1]', '[::1]'],
  ['', ''],
])('the site of %j is %j', (hostname, site) => {
  expect(siteOf(hostname)).toBe(site)
})

test.each([
  ['www.example.com', 'example.com', true],
  ['blog.example.co.uk', 'shop.example.co.uk', true],
  ['example.co.uk', 'other.co.uk', false],
  ['alice.github.io', 'bob.github.io', false],
  ['example.com', 'example.org', false],
  ['192.168.0.1', '192.169.0.1', false],
])('%s and %s are one site: %s', (one, other, isSame) => {
  expect(siteOf(one) === siteOf(other)).toBe(isSame)
})
