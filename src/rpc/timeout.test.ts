import { expect, test } from 'vitest'
import { parseConnectTimeout, parseGrpcTimeout, parseTimeout } from './timeout.ts'

const INVALID = { ok: false, error: { code: 'invalid_argument', reason: 'INVALID_REQUEST' } }

test.each([
  ['0', 0],
  ['5000', 5000],
  ['0000000001', 1],
  ['9999999999', 9_999_999_999],
])('connect-timeout-ms %s is %d ms', (text, timeoutMs) => {
  expect(parseConnectTimeout(text)).toEqual({ ok: true, value: timeoutMs })
})

test.each(['', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '12345678901', '1s', '١'])(
  'connect-timeout-ms %j is invalid',
  (text) => {
    expect(parseConnectTimeout(text)).toMatchObject(INVALID)
  },
)

test.each([
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['3S', 3000],
  ['250m', 250],
  ['1500u', 2],
  ['1n', 1],
  ['0S', 0],
  ['99999999H', 359_999_996_400_000],
])('grpc-timeout %s is %d ms', (text, timeoutMs) => {
  expect(parseGrpcTimeout(text)).toEqual({ ok: true, value: timeoutMs })
})

test.each(['', 'S', '1', '1s', '1h', '-1S', '1.5S', '123456789S', '1S ', '1SS', 'constructor'])(
  'grpc-timeout %j is invalid',
  (text) => {
    expect(parseGrpcTimeout(text)).toMatchObject(INVALID)
  },
)

test('each protocol reads its own form', () => {
  expect(parseTimeout('connect', '10')).toEqual({ ok: true, value: 10 })
  expect(parseTimeout('grpc-web', '10m')).toEqual({ ok: true, value: 10 })
  expect(parseTimeout('grpc', '10')).toMatchObject(INVALID)
})
