import { fromJson } from '@bufbuild/protobuf'
import { ChannelSchema } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { expect, test } from 'vitest'
import { encodeChannel, NEW_CHANNEL, parseAddresses, readChannel } from './channel-draft.ts'

test.each([
  ['a@example.org\nb@example.org', ['a@example.org', 'b@example.org']],
  ['a@example.org, b@example.org; c@example.org', ['a@example.org', 'b@example.org', 'c@example.org']],
  ['  a@example.org \r\n\n a@example.org', ['a@example.org']],
  ['', []],
])('the addresses of %j', (text, addresses) => {
  expect(parseAddresses(text)).toEqual(addresses)
})

test('a stored channel keeps its addresses, and never shows its URL', () => {
  const mail = { case: 'mail', value: { addresses: ['a@example.org', 'b@example.org'] } }
  const draft = readChannel(fromJson(ChannelSchema, { name: 'Team', mail: mail.value }))
  expect(encodeChannel(draft)).toEqual({ name: 'Team', target: mail })
  const slack = { maskedUrl: 'https://hooks.slack.com/…9c07' }
  expect(readChannel(fromJson(ChannelSchema, { name: 'Ops', slack })).url).toBe('')
})

test('the destination is that of the chosen kind', () => {
  const both = { ...NEW_CHANNEL, name: ' Ops ', addresses: 'a@example.org', url: ' https://example.org/x ' }
  expect(encodeChannel({ ...both, kind: 'slack' })).toEqual({
    name: 'Ops',
    target: { case: 'slack', value: { url: 'https://example.org/x' } },
  })
  expect(encodeChannel({ ...both, kind: 'mail' }).target).toEqual({
    case: 'mail',
    value: { addresses: ['a@example.org'] },
  })
})
