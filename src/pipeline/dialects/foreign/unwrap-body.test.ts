import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { DIALECTS } from '../dialects.ts'
import { findKey } from './find-key.ts'
import { parseForeignJson, unwrapBody } from './unwrap-body.ts'

const BYTES_MAX = 1024 * 1024
const KEY = `pub_${'k'.repeat(24)}`

test('a decompression bomb, and one inside another wrapping, is refused', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
  for (const body of [
    bomb,
    Buffer.from(bomb.toString('base64')),
    Buffer.from(`data=${bomb.toString('base64')}`),
  ])
    expect(unwrapBody(body, 'identity', BYTES_MAX)).toMatchObject({
      ok: false,
      error: { code: 'resource_exhausted' },
    })
})

test('only whoever has shown a key may send what becomes more than a hundred times as long', () => {
  const body = (key: object): Buffer =>
    gzipSync(JSON.stringify({ ...key, pad: ' '.repeat(3 * 1024 * 1024), end: KEY }))
  const mebibytes = 4 * 1024 * 1024
  expect(findKey(body({ api_key: KEY }), 'gzip', mebibytes)).toEqual({ ok: true, value: KEY })
  expect(findKey(body({}), 'gzip', mebibytes)).toMatchObject({
    ok: false,
    error: { reason: 'BODY_TOO_LARGE' },
  })
  expect(unwrapBody(body({}), 'gzip', mebibytes).ok).toBe(true)
})

test('wrappings inside each other end somewhere', () => {
  let body = Buffer.from('{}')
  for (let depth = 0; depth < 5; depth++) body = gzipSync(body)
  expect(unwrapBody(body, 'identity', BYTES_MAX).ok).toBe(false)
})

test('a form of a hundred thousand fields is searched for its field once', () => {
  const fields = Array.from({ length: 100_000 }, (_, index) => `f${index}data=1`).join('&')
  const body = Buffer.from(`${fields}&data=%7B%22a%22%3A1%7D&x=1`)
  const unwrapped = unwrapBody(body, 'identity', BYTES_MAX * 4)
  expect(unwrapped.ok && Buffer.from(unwrapped.value).toString()).toBe('{"a":1}')
})

test('base64 in a form keeps its plus signs, encoded or not', () => {
  const text = '{"a":"ûûû>>>???"}'
  const base64 = Buffer.from(text).toString('base64')
  expect(base64).toContain('+')
  for (const form of [
    `data=${base64}`,
    `data=${encodeURIComponent(base64)}`,
    `data=${base64.replaceAll('+', ' ')}`,
  ]) {
    const unwrapped = unwrapBody(Buffer.from(form), 'identity', BYTES_MAX)
    expect(unwrapped.ok && Buffer.from(unwrapped.value).toString()).toBe(text)
  }
})

test('base64 of any length in a form is decoded, and refused with a character that it does not have', () => {
  const odd = fc.constantFrom('', '!', '%', '%2b', '%2', '=', '%3D', '\n', '%00', 'é')
  fc.assert(
    fc.property(fc.json(), odd, fc.nat(40), (json, character, at) => {
      const text = `{"a":${json}}`
      const escaped = encodeURIComponent(Buffer.from(text).toString('base64'))
      const unwrapped = (value: string): unknown => {
        const body = unwrapBody(Buffer.from(`data=${value}`), 'identity', BYTES_MAX)
        return body.ok ? Buffer.from(body.value).toString() : body.error.reason
      }
      expect(unwrapped(escaped)).toBe(text)
      const place = Math.min(at, escaped.indexOf('%') === -1 ? at : escaped.indexOf('%'), escaped.length - 6)
      const damaged = escaped.slice(0, place) + character + escaped.slice(place)
      const isSame = character === '' || (character === '\n' && place === escaped.length)
      expect(unwrapped(damaged) === text).toBe(isSame)
    }),
    { numRuns: propertyRuns(300) },
  )
})

test('a form that is cut anywhere is decoded up to there, or refused inside an escape', () => {
  const base64 = Buffer.from('{"a":"ûûû>>>???"}').toString('base64')
  const escaped = encodeURIComponent(base64)
  for (let length = 0; length <= escaped.length; length++) {
    const value = escaped.slice(0, length)
    const body = unwrapBody(Buffer.from(`data=${value}`), 'identity', BYTES_MAX)
    const isWhole = length > 1 && !/%.?$/.test(value)
    expect(body.ok && Buffer.from(body.value).toString()).toBe(
      isWhole && Buffer.from(decodeURIComponent(value), 'base64').toString(),
    )
  }
})

test.each(['[', '{"a":', '[{"a":'])('a body of any size may be nested 64 levels deep: %s', (open) => {
  const levels = open.length > 5 ? 32 : 64
  const body = (depth: number, length: number): Buffer => {
    const text = `${open.repeat(depth)}1`
    const end = [...text.matchAll(/[[{]/g)].map(([bracket]) => (bracket === '[' ? ']' : '}')).reverse()
    return Buffer.from(text + end.join('') + ' '.repeat(length))
  }
  for (const length of [0, 200_000]) {
    expect(parseForeignJson(body(levels, length)).ok).toBe(true)
    expect(parseForeignJson(body(levels + 1, length))).toMatchObject({
      error: { message: expect.stringMatching(/nested too deeply/), reason: 'INVALID_REQUEST' },
    })
    expect(parseForeignJson(body(levels, length).subarray(1))).toMatchObject({
      error: { message: 'the body must be valid JSON' },
    })
    expect(parseForeignJson(Buffer.from(open.repeat(100)))).toMatchObject({
      error: { message: expect.stringMatching(/nested too deeply/) },
    })
  }
})

test.each([
  ['objects', `[${'{},'.repeat(200_000)}{}]`],
  [
    'objects in more levels than there may be',
    `${'['.repeat(65)}${'{},'.repeat(200_000)}{}${']'.repeat(65)}`,
  ],
  ['elements', `[${'0,'.repeat(2_000_000)}0]`],
  ['members', `{${'"a":0,'.repeat(2_000_000)}"a":0}`],
])('a body of too many %s may be sent in parts', (_, text) => {
  expect(parseForeignJson(Buffer.from(text))).toMatchObject({
    error: { reason: 'BODY_TOO_LARGE', message: expect.stringMatching(/^the body has too many /) },
  })
})

test('a body with a text that is too long is not better in parts', () => {
  expect(parseForeignJson(Buffer.from(`["${'x'.repeat(2 ** 20 + 1)}"]`))).toMatchObject({
    error: { reason: 'INVALID_REQUEST' },
  })
})

test('surrogates that were encoded one by one become their character', () => {
  const wave = Buffer.from([0xed, 0xa0, 0xbc, 0xed, 0xbc, 0x8a])
  const body = Buffer.concat([Buffer.from('{"a":"ü'), wave, Buffer.from('"}')])
  expect(parseForeignJson(body)).toEqual({ ok: true, value: { a: 'ü🌊' } })
})

test.each([
  ['first', `{"api_key":"${KEY}","batch":[]}`],
  [
    'last, behind a text that only looks like one',
    `{"batch":[{"a":"${'\\"api_key\\":\\"pub_x\\"'.repeat(200)}"}],"api_key":"${KEY}"}`,
  ],
  ['behind a token of the application', `{"batch":[{"properties":{"token":"secret"}}],"api_key": "${KEY}"}`],
])('a key is found %s', (_, text) => {
  for (const body of [Buffer.from(text), gzipSync(text), Buffer.from(Buffer.from(text).toString('base64'))])
    expect(findKey(body, 'identity', BYTES_MAX)).toEqual({ ok: true, value: KEY })
})

test('a key in the head of a long body in base64 is found without the rest', () => {
  const first = { event: 'a', properties: { pad: 'x>?'.repeat(400), token: KEY } }
  const rest = Array.from({ length: 200 }, () => ({ event: 'b', properties: { pad: '?>x'.repeat(400) } }))
  const base64 = Buffer.from(JSON.stringify([first, ...rest])).toString('base64')
  // Behind its head the body is no base64, which only matters to who reads it.
  for (const body of [`data=${encodeURIComponent(base64)}`, `data=${base64}`, base64])
    expect(findKey(Buffer.from(`${body}!!`), 'identity', BYTES_MAX)).toEqual({ ok: true, value: KEY })
  const late = Buffer.from(JSON.stringify([...rest, first])).toString('base64')
  for (const body of [`data=${encodeURIComponent(late)}`, `x=1&data=${late}`, late])
    expect(findKey(Buffer.from(body), 'identity', BYTES_MAX)).toEqual({ ok: true, value: KEY })
})

test('a key is found wherever the head of its body is cut', () => {
  const token = `"token":"${KEY}"`
  for (let pad = 2900; pad < 3100; pad++) {
    const base64 = Buffer.from(`[{"a":"${'?'.repeat(pad)}",${token}}]`).toString('base64')
    for (const body of [`data=${encodeURIComponent(base64)}`, base64])
      expect(findKey(Buffer.from(body), 'identity', BYTES_MAX)).toEqual({ ok: true, value: KEY })
  }
})

const request = {
  key: KEY,
  receivedMicros: 1_790_000_000_000_000,
  listsResults: true,
} as const

test('no body makes a reader throw', () => {
  const field = fc.constantFrom(
    ...['event', 'uuid', 'distinct_id', 'properties', 'timestamp', 'offset', '$set', '$set_once', '$unset'],
    ...[
      'batch',
      'data',
      'api_key',
      'token',
      'sent_at',
      'options',
      '__proto__',
      'constructor',
      'alias',
      '$ip',
      'time',
      '$insert_id',
      '$device_id',
      '$distinct_id',
      '$distinct_ids',
    ],
  )
  const names = fc.oneof(field, fc.string())
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '$identify',
        '$create_alias',
        '$merge',
        '$set',
        '2026-01-01T00:00:00Z',
        KEY,
        '\ud800',
        '',
      ),
      fc.jsonValue(),
      fc.dictionary(names, tie('tree'), { noNullPrototype: false }),
      fc.array(tie('tree'), { maxLength: 4 }),
    ),
  }))
  const readers = fc.constantFrom(
    ...(['capture', 'engage', 'v1', 'recordings'] as const).map((form) => ['posthog', form] as const),
    ...(['track', 'import', 'engage', 'groups'] as const).map((form) => ['mixpanel', form] as const),
  )
  fc.assert(
    fc.property(tree, readers, (value, [dialect, form]) => {
      const body = Buffer.from(JSON.stringify(value))
      const read = DIALECTS[dialect].readRequest(body, { ...request, dialect, form })
      expect(read.ok || typeof read.error).toBeTruthy()
    }),
    { numRuns: 2000 },
  )
})

test('no bytes make unwrapping throw', () => {
  const cut = fc.tuple(fc.jsonValue(), fc.nat()).map(([value, at]) => {
    const body = gzipSync(JSON.stringify({ api_key: KEY, value }))
    return body.subarray(0, at % body.length)
  })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((random) => Buffer.from(random)),
    cut,
  )
  fc.assert(
    fc.property(bytes, fc.constantFrom('identity', 'gzip', 'br', 'zstd'), (body, coding) => {
      const found = findKey(body, coding, BYTES_MAX)
      expect(found.ok ? typeof found.value : found.error.code).toBeTruthy()
      const unwrapped = unwrapBody(body, coding, BYTES_MAX)
      if (unwrapped.ok) parseForeignJson(unwrapped.value)
    }),
    { numRuns: 2000 },
  )
})
