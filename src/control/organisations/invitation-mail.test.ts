import { expect, test } from 'vitest'
import { composeInvitationMail } from './invitation-mail.ts'

const FACTS = {
  organisationName: 'Acme',
  email: 'bob@example.org',
  role: 'admin',
  projectRoles: [],
  expiresMs: Date.parse('2026-03-08T12:00:00Z'),
  link: 'https://example.org/sign-in?token=abc&x=1',
} as const

test('the mail contains the organisation, the role, the link and its expiry date', () => {
  expect(composeInvitationMail(FACTS)).toEqual({
    to: 'bob@example.org',
    subject: 'Invitation to Acme',
    text: `You have been invited to join Acme as an admin.\n\n${FACTS.link}\n\nThe link expires on 2026-03-08. If you did not expect this invitation, you can ignore it.\n`,
    html: '<p>You have been invited to join Acme as an admin.</p><p><a href="https://example.org/sign-in?token=abc&amp;x=1">Join</a></p><p>The link expires on 2026-03-08. If you did not expect this invitation, you can ignore it.</p>',
  })
})

test('the name of an organisation injects neither headers nor markup', () => {
  const organisationName = `A\r\nBcc: eve@example.org <img src="x"> ${'x'.repeat(200)}`
  const { subject, text, html } = composeInvitationMail({ ...FACTS, organisationName })
  expect(subject).toMatch(/^Invitation to A Bcc: eve@example\.org <img src="x"> x{50,}$/)
  expect(subject.length).toBeLessThan(120)
  expect(text).not.toContain('\r')
  expect(html).toContain('&lt;img src=&quot;x&quot;&gt;')
  expect(html).not.toContain('<img')
})

test('the mail names the projects that open, and not all of many', () => {
  const textWith = (projectRoles: Parameters<typeof composeInvitationMail>[0]['projectRoles']): string =>
    composeInvitationMail({ ...FACTS, role: 'guest', projectRoles }).text.split('\n')[0] ?? ''
  const viewerOf = (projectName: string) => ({ projectName, role: 'viewer' as const })
  expect(textWith([viewerOf('Shop'), { projectName: 'Blog', role: 'guest' }])).toBe(
    'You have been invited to join Acme as a guest, with a role in the project Shop.',
  )
  expect(textWith(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(viewerOf))).toMatch(
    /roles in the projects A, B, C, D, E, and 2 more\.$/,
  )
})
