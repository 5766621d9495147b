import { expect, test } from 'vitest'
import { rangesOf } from '../../../test/harness/loopback.ts'
import { mayConnectTo } from './outbound-addresses.ts'

const NONE = rangesOf('none')

test.each([
  '1.1.1.1',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:1.1.1.1',
  '::ffff:101:101',
  '64:ff9b::1.1.1.1',
])('%s is public', (address) => {
  expect(mayConnectTo(address, NONE)).toBe(true)
})

test.each([
  ['this network', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, metadata of Alibaba Cloud', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local, metadata', '169.254.169.254'],
  ['metadata of Oracle Cloud', '192.0.0.192'],
  ['metadata of Azure', '168.63.129.16'],
  ['benchmarks', '198.18.0.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, all digits', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped, hexadecimal', '::ffff:7f00:1'],
  ['mapped, all digits', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['translated', '::ffff:0:10.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['NAT64, hexadecimal', '64:ff9b::a9fe:a9fe'],
  ['NAT64 with a local prefix', '64:ff9b:1::808:808'],
  ['6to4', '2002:7f00:1::'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['unique local', 'fc00::1'],
  ['unique local, metadata of AWS', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['segment routing', '5f00::1'],
  ['not an address', '127.1'],
  ['not an address', 'mail.example.com'],
  ['not an address', ''],
])('%s: %s is not public', (_, address) => {
  expect(mayConnectTo(address, NONE)).toBe(false)
})

test.each([
  ['10.1.0.0/16', '10.1.2.3', true],
  ['10.1.0.0/16', '::ffff:10.1.2.3', true],
  ['10.1.0.0/16', '::ffff:a01:203', true],
  ['10.1.0.0/16', '10.2.2.3', false],
  ['10.1.0.0/16', '64:ff9b::10.1.2.3', false],
  ['64:ff9b::/96', '64:ff9b::10.1.2.3', true],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  ['fd00::/8', 'fd12::1', true],
  ['0.0.0.0/0', '169.254.169.254', true],
])('where %s is allowed, %s is: %s', (cidrs, address, isAllowed) => {
  expect(mayConnectTo(address, rangesOf(cidrs))).toBe(isAllowed)
})
