import { expect, test } from 'vitest'
import { verifyWebhook } from '../../../test/harness/verify-webhook.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createSigningSecret, signWebhook } from './sign-webhook.ts'

const BODY = '{"type":"channel.test","data":{"title":"✓"}}'

test('the library of Standard Webhooks verifies a signature, by the new secret and by the one that it replaces', () => {
  const [secret, previous] = [createSigningSecret(), createSigningSecret()]
  const message = { id: 'notification-1', timeMs: systemClock.nowMs(), body: BODY }
  const headers = { ...signWebhook(message, [secret, previous]) }
  expect(verifyWebhook(secret, { body: BODY, headers })).toEqual(JSON.parse(BODY))
  expect(verifyWebhook(previous, { body: BODY, headers })).toEqual(JSON.parse(BODY))
  expect(() => verifyWebhook(createSigningSecret(), { body: BODY, headers })).toThrow()
  expect(() => verifyWebhook(secret, { body: `${BODY} `, headers })).toThrow()
  const renamed = { ...headers, 'webhook-id': 'notification-2' }
  expect(() => verifyWebhook(secret, { body: BODY, headers: renamed })).toThrow()
})

test('the signature is that of the specification', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timeMs: 1_614_265_330_999,
    body: '{"test": 2432232314}',
  }
  expect(signWebhook(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})
