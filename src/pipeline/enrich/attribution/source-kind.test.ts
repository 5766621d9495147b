import { expect, test } from 'vitest'
import { kindOfHost, kindOfSource } from './source-kind.ts'
import { OTHER_HOSTS, SOURCE_HOSTS, SOURCE_NAMES } from './source-tables.ts'

test.each([
  ['www.google.com', 'search'],
  ['www.google.co.uk', 'search'],
  ['news.google.com', 'search'],
  ['google.evil.example', undefined],
  ['notgoogle.com', undefined],
  ['mail.google.com', 'email'],
  ['docs.google.com', undefined],
  ['translate.google.de', undefined],
  ['r.search.yahoo.com', 'search'],
  ['mail.yahoo.co.jp', 'email'],
  ['yandex.ru', 'search'],
  ['search.brave.com', 'search'],
  ['brave.com', undefined],
  ['duckduckgo.com', 'search'],
  ['www.baidu.com', 'search'],
  ['tieba.baidu.com', 'social'],
  ['l.facebook.com', 'social'],
  ['t.co', 'social'],
  ['at.co', undefined],
  ['x.com', 'social'],
  ['netflix.com', 'video'],
  ['out.reddit.com', 'social'],
  ['www.pinterest.de', 'social'],
  ['m.youtube.com', 'video'],
  ['v.qq.com', 'video'],
  ['go.mail.ru', 'search'],
  ['e.mail.ru', 'email'],
  ['com.google.android.gm', 'email'],
  ['com.google.android.googlequicksearchbox', 'search'],
  ['example.com', undefined],
  ['a.b.c.d.e.f.g.google.com', 'search'],
  ['x.search.smt.docomo.ne.jp', 'search'],
  ['localhost', undefined],
  ['', undefined],
  ['.', undefined],
  ['google.com.', undefined],
])('the host %j is of kind %s', (hostname, kind) => {
  expect(kindOfHost(hostname)).toBe(kind)
})

test.each([
  ['google', 'search'],
  ['adwords', 'search'],
  ['www.google.com', 'search'],
  ['fb', 'social'],
  ['facebook', 'social'],
  ['l.facebook.com', 'social'],
  ['x', 'social'],
  ['yt', 'video'],
  ['newsletter', 'email'],
  ['partner', undefined],
  ['', undefined],
])('the source %j is of kind %s', (source, kind) => {
  expect(kindOfSource(source)).toBe(kind)
})

test('every host of the tables is found below other labels', () => {
  const hosts = Object.entries(SOURCE_HOSTS).flatMap(([kind, table]) =>
    table
      .trim()
      .split(/\s+/)
      .map((host) => ({ kind, host: `a.b.${host.replace('*', 'com.br')}` })),
  )
  expect(hosts.filter(({ kind, host }) => kindOfHost(host) !== kind)).toEqual([])
})

test('no host or name is in the tables twice', () => {
  const words = [...Object.values(SOURCE_HOSTS), OTHER_HOSTS, ...Object.values(SOURCE_NAMES)].flatMap(
    (table) => table.trim().split(/\s+/),
  )
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})
