import { expect, test } from 'vitest'
import { composeMail, composeSlack, composeWebhook, type Notification } from './notification.ts'

const NOTIFICATION: Notification = {
  id: 'n',
  type: 'alert.firing',
  createdMs: Date.parse('2026-06-01T10:00:00Z'),
  title: 'Sign-ups <!channel> & more',
  text: 'below 10\n<script>',
  link: 'https://millrace.example.com/?a=1&b=2',
  facts: { value: 3, title: 'not this one' },
}

test('a webhook has type, time and facts', () => {
  expect(JSON.parse(composeWebhook(NOTIFICATION))).toEqual({
    type: 'alert.firing',
    timestamp: '2026-06-01T10:00:00.000Z',
    data: { value: 3, title: NOTIFICATION.title, text: NOTIFICATION.text, link: NOTIFICATION.link },
  })
})

test('a name that a user chose mentions no one in a Slack message', () => {
  expect(JSON.parse(composeSlack(NOTIFICATION))).toEqual({
    text: '*Sign-ups &lt;!channel&gt; &amp; more*\nbelow 10\n&lt;script&gt;\n<https://millrace.example.com/?a=1&b=2|Open in Millrace>',
  })
  expect(JSON.parse(composeSlack({ ...NOTIFICATION, text: '', link: '' }))).toEqual({
    text: '*Sign-ups &lt;!channel&gt; &amp; more*',
  })
})

test('a mail has a plain and an escaped part', () => {
  const { subject, text, html } = composeMail(NOTIFICATION)
  expect(subject).toBe(NOTIFICATION.title)
  expect(text).toBe(`${NOTIFICATION.title}\n\n${NOTIFICATION.text}\n\n${NOTIFICATION.link}\n`)
  expect(html).toBe(
    '<p><strong>Sign-ups &lt;!channel&gt; &amp; more</strong></p><p>below 10<br>&lt;script&gt;</p><p><a href="https://millrace.example.com/?a=1&amp;b=2">Open in Millrace</a></p>',
  )
})
