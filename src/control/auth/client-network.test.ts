import { expect, test } from 'vitest'
import { privateRanges } from '../../settings/setting-parsers.ts'
import { nameClientNetwork } from './client-network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  // What the client wrote itself stands before what the edge saw.
  ['10.9.9.9, 1.2.3.4, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 10.0.0.7, 127.0.0.1', '203.0.113.9'],
  ['192.168.0.5, 127.0.0.1', '192.168.0.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1::6', '2001:db8:1:0'],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ['', ''],
])('%j comes from %j', (forwardedFor, network) => {
  const headers = new Headers({ 'x-forwarded-for': forwardedFor })
  expect(nameClientNetwork(headers, privateRanges())).toBe(network)
})
