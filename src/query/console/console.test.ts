import { expect, test } from 'vitest'
import { createConsole } from './console.ts'

test.each([
  [undefined, {}],
  ['client-1', { googleClientId: 'client-1' }],
])('pages get the configured Google client id: %s', async (googleClientId, told) => {
  const serve = createConsole({ googleClientId, isEmbeddable: async () => false })
  const answer = await serve({ method: 'GET', path: '/console/sign-in.json', header: () => undefined })
  expect(answer?.status).toBe(200)
  expect(JSON.parse(String(answer?.body))).toEqual(told)
  expect(answer?.headers).toContainEqual(['cache-control', 'no-cache'])
})
