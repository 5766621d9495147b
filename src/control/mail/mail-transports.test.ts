import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DoubleAnswer, type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import { LOOPBACK, rangesOf } from '../../../test/harness/loopback.ts'
import {
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from '../../../test/harness/mail-server.ts'
import { hasSystemTool } from '../../../test/harness/system-tool.ts'
import { freePort } from '../../../test/harness/wait.ts'
import { makeCertificate } from '../../../test/protocols/child-server.ts'
import { Outbound } from '../../kernel/outbound/outbound.ts'
import type { SmtpServer } from '../../settings/smtp-server.ts'
import { MailError, type MailMessage, type MailTransport } from './mail-transport.ts'
import { createResendTransport } from './resend-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

const MESSAGE: MailMessage = {
  id: 'mail-1',
  from: { name: 'Millrace, Inc.', address: 'noreply@example.com' },
  replyTo: 'support@example.com',
  to: 'ada@example.org',
  subject: 'Come in ✓',
  text: 'Hello\n.\nlink: https://example.org/secret-link',
  html: '<p>Hello</p>',
}
const NO_SIGNAL = new AbortController().signal

let stops: (() => Promise<void>)[]

beforeEach(() => {
  stops = []
})

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
})

async function serveMail(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  stops.push(server.stop)
  return server
}

async function serveHttp(answer: () => DoubleAnswer): Promise<HttpDouble> {
  const double = await startHttpDouble(answer)
  stops.push(double.stop)
  return double
}

function smtp(port: number, fields: Partial<SmtpServer> = {}, outbound = LOOPBACK): MailTransport {
  const plain = { username: '', password: '', protection: 'opportunistic' } as const
  return createSmtpTransport({ host: '127.0.0.1', port, ...plain, ...fields }, outbound)
}

/** All that of an error could reach a log or a screen. */
function wordsOf(error: MailError): string {
  const { cause } = error
  return JSON.stringify([error, error.message, error.stack, cause, cause instanceof Error && cause.stack])
}

async function failureOf(sending: Promise<void>): Promise<MailError> {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof MailError)) throw new Error('the mail did not fail as mails do', { cause: error })
  return error
}

test('a mail server receives both parts and the headers', async () => {
  const server = await serveMail({ credentials: 'ada:pass:word' })
  await smtp(server.port, { username: 'ada', password: 'pass:word' })(MESSAGE, NO_SIGNAL)
  expect(server.mails).toMatchObject([
    { from: 'noreply@example.com', to: ['ada@example.org'], credentials: 'ada:pass:word' },
  ])
  const source = server.mails[0]?.source ?? ''
  expect(source).toContain('From: "Millrace, Inc." <noreply@example.com>')
  expect(source).toContain('Reply-To: support@example.com')
  expect(source).toContain('Message-ID: <mail-1@example.com>')
  expect(source).toContain('Subject: =?UTF-8?Q?Come_in_=E2=9C=93?=')
  expect(source).toContain('https://example.org/secret-link')
  expect(source).toContain('<p>Hello</p>')
})

test('a subject or a recipient with line breaks or commas adds no header and no recipient', async () => {
  const server = await serveMail()
  const transport = smtp(server.port)
  await transport({ ...MESSAGE, subject: 'Hi\r\nBcc: eve@example.org' }, NO_SIGNAL)
  const error = await failureOf(transport({ ...MESSAGE, to: 'ada@example.org, eve@example.org' }, NO_SIGNAL))
  expect(error).toMatchObject({ message: 'the recipient is not a valid mail address', isPermanent: true })
  expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.org']])
  expect(server.mails[0]?.source).not.toMatch(/^Bcc:/m)
})

test.each([
  '=?utf-8?B?SW52b2ljZQ==?=',
  'Invitation to =?utf-8?Q?Your_bank?= and more',
  '=?utf-8?B?SW52b2ljZQ==?=\r\nBcc: eve@example.org',
  `Invitation to ${'=?iso-8859-1?Q?a?= '.repeat(8)}✓`,
])('a subject in the form of an encoded word is displayed as written: %j', async (subject) => {
  const server = await serveMail()
  await smtp(server.port)({ ...MESSAGE, subject }, NO_SIGNAL)
  const [head = ''] = server.mails[0]?.source.split('\r\n\r\n') ?? []
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const subjects = lines.filter((line) => /^subject:/i.test(line))
  expect(subjects.map(decodeSubject)).toEqual([subject.replaceAll(/[\r\n]+/g, ' ')])
  expect(lines.filter((line) => /^bcc:/i.test(line))).toEqual([])
  expect(head.split('\r\n').filter((line) => line.length > 78)).toEqual([])
})

/** As a mail program reads it (RFC 2047): the white space between two encoded words is no part of either. */
function decodeSubject(line: string): string {
  const value = line.replace(/^subject: */i, '').replaceAll(/\?= +=\?/g, '?==?')
  const bytes = value.replaceAll(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, __, kind: string, text: string) =>
    (kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (___, hex: string) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
          'latin1',
        )
    ).toString('latin1'),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

test("a wrong password is retried; the error contains neither it nor the server's reply", async () => {
  const server = await serveMail({ credentials: 'ada:right' })
  const error = await failureOf(
    smtp(server.port, { username: 'ada', password: 'wrong-password' })(MESSAGE, NO_SIGNAL),
  )
  expect(error.isPermanent).toBe(false)
  expect(error.message).toBe('the mail server rejected the credentials; check user name and password')
  expect(error.cause).toMatchObject({ message: 'EAUTH, reply 535' })
  expect(wordsOf(error)).not.toContain('not your credentials')
  expect(wordsOf(error)).not.toContain('wrong-password')
})

test.each([
  ['550 5.1.1 no such user ada@example.org', true],
  ['451 4.7.1 come again', false],
])('a recipient is rejected permanently or temporarily: %s', async (reply, isPermanent) => {
  const server = await serveMail({ recipientReplies: [reply] })
  const error = await failureOf(smtp(server.port)(MESSAGE, NO_SIGNAL))
  expect(error.isPermanent).toBe(isPermanent)
  expect(wordsOf(error)).not.toMatch(/ada@example|no such user|come again/)
  expect(error.cause).toMatchObject({ message: `EENVELOPE, reply ${reply.slice(0, 3)}` })
})

test('without the required TLS, nothing is sent', async () => {
  const server = await serveMail()
  const error = await failureOf(smtp(server.port, { protection: 'starttls' })(MESSAGE, NO_SIGNAL))
  expect(error.message).toContain('TLS')
  expect(server.mails).toEqual([])
})

test('a closed port is reported as such', async () => {
  const error = await failureOf(smtp(await freePort())(MESSAGE, NO_SIGNAL))
  const message = 'the mail server cannot be reached; check host and port'
  expect(error).toMatchObject({ message, isPermanent: false })
})

test('a silent server times out after ten seconds', async () => {
  const server = await serveMail({ isSilent: true })
  const error = await failureOf(smtp(server.port)(MESSAGE, NO_SIGNAL))
  expect(error.message).toBe('the mail server did not respond in time; check host and port')
}, 20_000)

test('an endless greeting is cut off at 64 KiB', async () => {
  const server = await serveMail({ isEndless: true })
  const error = await failureOf(smtp(server.port)(MESSAGE, NO_SIGNAL))
  expect(error.message).toBe('the host is not a mail server; check host and port')
})

test("a user's mail server needs a public or allowed address; the operator's may have any", async () => {
  const server = await serveMail()
  const nowhere = new Outbound({ allowed: rangesOf('none') })
  for (const host of ['127.0.0.1', '::ffff:127.0.0.1', 'localhost']) {
    const error = await failureOf(smtp(server.port, { host }, nowhere)(MESSAGE, NO_SIGNAL))
    expect(error.message).toContain('the mail server has no public address')
  }
  expect(server.connectionCount).toBe(0)
  const plain = { username: '', password: '', protection: 'opportunistic' } as const
  await createSmtpTransport({ host: '127.0.0.1', port: server.port, ...plain })(MESSAGE, NO_SIGNAL)
  expect(server.mails).toHaveLength(1)
})

test('a mail is sent to the checked address, even if the name resolves differently afterwards', async () => {
  const server = await serveMail()
  const asked: string[] = []
  const outbound = new Outbound({
    allowed: rangesOf('127.0.0.1'),
    resolve: async (host) => {
      asked.push(host)
      return [asked.length === 1 ? '127.0.0.1' : '127.0.0.2']
    },
  })
  const transport = smtp(server.port, { host: 'mail.test' }, outbound)
  await transport(MESSAGE, NO_SIGNAL)
  expect(asked).toEqual(['mail.test'])
  expect((await failureOf(transport(MESSAGE, NO_SIGNAL))).message).toContain('no public address')
  expect(server.connectionCount).toBe(1)
})

test.skipIf(!hasSystemTool('openssl', 'openssl')).each([
  ['starttls', 'TLS with a valid certificate', 0],
  ['opportunistic', '', 1],
] as const)(
  'with %s, a self-signed certificate does not expose the password',
  async (protection, failure, count) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-mail-'))
    try {
      const { keyPath, pem } = makeCertificate(folder)
      const starttls = { key: readFileSync(keyPath, 'utf8'), cert: pem }
      const server = await serveMail({ credentials: 'ada:secret', starttls })
      const transport = smtp(server.port, { username: 'ada', password: 'secret', protection })
      const sent = await transport(MESSAGE, NO_SIGNAL).then(
        () => '',
        (error: MailError) => error.message,
      )
      expect(sent).toContain(failure)
      expect(server.mails.map(({ isSecure }) => isSecure)).toEqual(Array(count).fill(true))
      expect(server.clearLines.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test.each(['starttls', 'opportunistic'] as const)(
  'with %s, a failed STARTTLS does not expose the password',
  async (protection) => {
    const server = await serveMail({ credentials: 'ada:secret', starttls: 'broken' })
    const transport = smtp(server.port, { username: 'ada', password: 'secret', protection })
    expect((await failureOf(transport(MESSAGE, NO_SIGNAL))).message).toContain('TLS')
    expect(server.clearLines.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS'])
  },
)

test('a process that stops does not wait for the server', async () => {
  const server = await serveMail({ isSilent: true })
  const stop = new AbortController()
  const sending = smtp(server.port)(MESSAGE, stop.signal)
  stop.abort(new Error('the process stops'))
  await expect(sending).rejects.toThrow('the process stops')
})

test('Resend receives the mail with an idempotency key', async () => {
  const resend = await serveHttp(() => ({ status: 200, body: { id: 'x' } }))
  await createResendTransport({ apiKey: 're_key', url: resend.url })(MESSAGE, NO_SIGNAL)
  const [request] = resend.requests
  expect(request).toMatchObject({
    method: 'POST',
    path: '/emails',
    headers: { authorization: 'Bearer re_key', 'idempotency-key': 'mail-1' },
  })
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    from: '"Millrace, Inc." <noreply@example.com>',
    to: ['ada@example.org'],
    reply_to: 'support@example.com',
    subject: 'Come in ✓',
    text: MESSAGE.text,
    html: '<p>Hello</p>',
  })
})

test.each([
  [401, false],
  [422, true],
  [429, false],
  [500, false],
])('Resend rejects permanently or temporarily: %i', async (status, isPermanent) => {
  const resend = await serveHttp(() => ({ status, body: { message: 'ada@example.org is not welcome' } }))
  const transport = createResendTransport({ apiKey: 're_key', url: resend.url })
  const error = await failureOf(transport(MESSAGE, NO_SIGNAL))
  expect(error.isPermanent).toBe(isPermanent)
  expect(error.cause).toMatchObject({ message: `status ${status}` })
  expect(wordsOf(error)).not.toContain('welcome')
})

test('an unreachable or redirecting Resend is a temporary failure', async () => {
  const elsewhere = await serveHttp(() => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } }))
  for (const url of [elsewhere.url, `http://127.0.0.1:${await freePort()}`]) {
    const error = await failureOf(createResendTransport({ apiKey: 're_key', url })(MESSAGE, NO_SIGNAL))
    const message = 'Resend cannot be reached; try again later'
    expect(error).toMatchObject({ message, isPermanent: false })
  }
})
