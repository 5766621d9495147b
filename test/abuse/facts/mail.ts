import { type MailServer, startMailServer } from '../../harness/mail-server.ts'
import { waitFor } from '../../harness/wait.ts'
import { call } from '../client.ts'
import { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

/** Runs something with a service whose mails come to a server of ours. */
async function withMail(
  body: (service: ServiceUnderAttack, mails: MailServer) => Promise<void>,
): Promise<void> {
  const mails = await startMailServer()
  try {
    const service = await ServiceUnderAttack.start('proxied', {
      SERVICE_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      SERVICE_MAIL_FROM: 'Millrace <mail@example.org>',
    })
    try {
      await body(service, mails)
    } finally {
      await service.destroy()
    }
  } finally {
    await mails.stop()
  }
}

/** The head of a mail, with its lines unfolded. */
function headOf(source: string): string {
  return source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
}

const NAMES = [
  '=?utf-8?B?SW52b2ljZSBvdmVyZHVl?=',
  '=?utf-8?Q?Invoice_overdue?=',
  'A =?utf-8?B?QUJD?= B',
  '"quoted" <a@b.example>',
  'ünïcödé 名前',
  `${'x'.repeat(250)}`,
]

/** Addresses that are more than one, or more than an address. */
const ADDRESSES = [
  'a@b.example\r\nBcc: evil@evil.example',
  'a@b.example\nBcc: evil@evil.example',
  'a@b.example,evil@evil.example',
  'a@b.example;evil@evil.example',
  'Name <a@b.example>',
  '<a@b.example>',
  '"a@b.example> RCPT TO:<evil"@evil.example',
  'a@b.example\0@evil.example',
  'a b@c.example',
  '(comment)a@b.example',
  'undisclosed:a@b.example;',
  'a@[127.0.0.1]',
  'a@b.example\u2028Bcc: x',
]

const statements: readonly Statement[] = [
  {
    title: 'names and addresses that people enter bring no header, recipient or encoded word into a mail',
    isSlow: true,
    check: async () =>
      await withMail(async (service, mails) => {
        const { token } = await service.signIn()
        const headers = { authorization: `Bearer ${token}` }
        const seen: string[] = []
        for (const [index, displayName] of NAMES.entries()) {
          const orgs = 'dashboard.orgs.v1.OrgsService'
          const made = await call(service.url, `${orgs}/Create`, { displayName }, headers)
          if (made.status !== 200) continue
          const { id: orgId } = made.json.org as { readonly id: string }
          const email = `guest-${index}@example.net`
          await call(service.url, `${orgs}/InviteMember`, { orgId, email, role: 'ORG_ROLE_VIEWER' }, headers)
          const mail = await waitFor('the invitation', () => mails.mails.find(({ to }) => to.includes(email)))
          const head = headOf(mail.source)
          const [subject = ''] = /^Subject:.*$/im.exec(head) ?? []
          if (/SW52b2ljZSBvdmVyZHVl|=\?utf-8\?Q\?Invoice|=\?utf-8\?B\?QUJD\?=/i.test(subject))
            seen.push(`an encoded word is passed through: ${subject}`)
          if ([...subject].some((character) => (character.codePointAt(0) ?? 0) > 126))
            seen.push(`bytes above 126: ${subject}`)
          if (head.split('\r\n').some((line) => line.length > 998))
            seen.push('a line of more than 998 characters')
        }
        const orgId = service.other.orgId
        for (const email of ADDRESSES) {
          const before = mails.mails.length
          const { status } = await call(
            service.url,
            'dashboard.orgs.v1.OrgsService/InviteMember',
            { orgId, email, role: 'ORG_ROLE_VIEWER' },
            headers,
          )
          const asked = await call(service.url, 'public.auth.v1.AuthService/RequestMagicLink', { email })
          if (status === 200 || asked.status === 200) {
            await new Promise((resolve) => setTimeout(resolve, 300))
            const wrong = mails.mails
              .slice(before)
              .filter(
                ({ to, source }) => to.length !== 1 || to[0] !== email || /^bcc:/im.test(headOf(source)),
              )
            if (wrong.length > 0)
              seen.push(`${JSON.stringify(email)}: ${JSON.stringify(wrong.map(({ to }) => to))}`)
          }
        }
        claim(seen.length === 0, () => seen.join('; '))
      }),
  },
]

/** Statements about outgoing mail. */
export const mailHeads: Chapter = { name: 'mail', statements }
