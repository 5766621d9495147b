import { expect, test } from 'vitest'
import { parseSmtpUrl } from './smtp-server.ts'

const ANONYMOUS = { username: '', password: '' }

test.each([
  ['smtp://mail.test', { host: 'mail.test', port: 587, ...ANONYMOUS, protection: 'opportunistic' }],
  ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, ...ANONYMOUS, protection: 'opportunistic' }],
  ['smtps://[::1]', { host: '::1', port: 465, ...ANONYMOUS, protection: 'tls' }],
  [
    'smtps://ada%40example.org:p%2Fw:d@mail.test:4650',
    { host: 'mail.test', port: 4650, username: 'ada@example.org', password: 'p/w:d', protection: 'tls' },
  ],
])('%s is a mail server', (url, server) => {
  expect(parseSmtpUrl(url)).toEqual(server)
})

test.each(['', 'mail.test:25', 'http://mail.test', 'smtp://', 'smtp://a:%zz@mail.test'])(
  '%j is not a mail server',
  (url) => {
    expect(parseSmtpUrl(url)).toBeUndefined()
  },
)
