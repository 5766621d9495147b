import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DoubleAnswer, type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import {
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from '../../../test/harness/mail-server.ts'
import { freePort } from '../../../test/harness/wait.ts'
import type { SmtpServer } from '../../kernel/smtp-server.ts'
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

function smtp(port: number, fields: Partial<SmtpServer> = {}): MailTransport {
  const plain = { username: '', password: '', protection: 'opportunistic' } as const
  return createSmtpTransport({ host: '127.0.0.1', port, ...plain, ...fields })
}

async function failureOf(sending: Promise<void>): Promise<MailError> {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof MailError)) throw new Error('the mail did not fail as mails do', { cause: error })
  return error
}

test('a mail server gets the mail, with both parts and the headers', async () => {
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
  expect(error).toMatchObject({ message: 'the recipient is no mail address', isPermanent: true })
  expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.org']])
  expect(server.mails[0]?.source).not.toMatch(/^Bcc:/m)
})

test('a wrong password may be right later; neither it nor the answer is in the message for the log', async () => {
  const server = await serveMail({ credentials: 'ada:right' })
  const error = await failureOf(
    smtp(server.port, { username: 'ada', password: 'wrong-password' })(MESSAGE, NO_SIGNAL),
  )
  expect(error.isPermanent).toBe(false)
  expect(error.message).toBe('the mail server refused the credentials (reply 535)')
  expect(error.explanation).toContain('these are not your credentials')
  expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain('wrong-password')
})

test.each([
  ['550 5.1.1 no such user ada@example.org', true],
  ['451 4.7.1 come again', false],
])('a recipient is refused for good or for now: %s', async (reply, isPermanent) => {
  const server = await serveMail({ recipientReplies: [reply] })
  const error = await failureOf(smtp(server.port)(MESSAGE, NO_SIGNAL))
  expect(error.isPermanent).toBe(isPermanent)
  expect(error.message).not.toContain('ada@example.org')
  expect(error.explanation).toContain(reply.slice(4))
})

test('where TLS must be and is not offered, nothing is sent', async () => {
  const server = await serveMail()
  const error = await failureOf(smtp(server.port, { protection: 'starttls' })(MESSAGE, NO_SIGNAL))
  expect(error.message).toContain('TLS')
  expect(server.mails).toEqual([])
})

test('a port without a server is a failure that says so', async () => {
  const error = await failureOf(smtp(await freePort())(MESSAGE, NO_SIGNAL))
  expect(error).toMatchObject({ message: 'the mail server cannot be reached', isPermanent: false })
})

test('a server that says nothing is given up after ten seconds', async () => {
  const server = await serveMail({ isSilent: true })
  const error = await failureOf(smtp(server.port)(MESSAGE, NO_SIGNAL))
  expect(error.message).toBe('the mail server did not answer in time')
}, 20_000)

test('a process that stops does not wait for the server', async () => {
  const server = await serveMail({ isSilent: true })
  const stop = new AbortController()
  const sending = smtp(server.port)(MESSAGE, stop.signal)
  stop.abort(new Error('the process stops'))
  await expect(sending).rejects.toThrow('the process stops')
})

test('Resend gets the mail, with an id that makes a second one of it none', async () => {
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
])('Resend refuses for good or for now: %i', async (status, isPermanent) => {
  const resend = await serveHttp(() => ({ status, body: { message: 'ada@example.org is not\nwelcome' } }))
  const transport = createResendTransport({ apiKey: 're_key', url: resend.url })
  const error = await failureOf(transport(MESSAGE, NO_SIGNAL))
  expect(error).toMatchObject({ message: `Resend refused the mail (status ${status})`, isPermanent })
  expect(error.explanation).toBe(`${error.message}: ada@example.org is not welcome`)
})

test('Resend that cannot be reached, or sends elsewhere, is a failure for now', async () => {
  const elsewhere = await serveHttp(() => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } }))
  for (const url of [elsewhere.url, `http://127.0.0.1:${await freePort()}`]) {
    const error = await failureOf(createResendTransport({ apiKey: 're_key', url })(MESSAGE, NO_SIGNAL))
    expect(error).toMatchObject({ message: 'Resend cannot be reached', isPermanent: false })
  }
})
