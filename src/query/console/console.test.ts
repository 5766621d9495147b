import { expect, test } from 'vitest'
import { createConsole } from './console.ts'

test.each([
  [{}, { providers: [] }],
  [{ googleClientId: 'client-1' }, { googleClientId: 'client-1', providers: [] }],
  [{ providers: [{ id: 'kc', label: 'Keycloak' }] }, { providers: [{ id: 'kc', label: 'Keycloak' }] }],
])('pages get the configured ways to sign in: %o', async (ways, told) => {
  const serve = createConsole({ ...ways, isEmbeddable: async () => false })
  const answer = await serve({ method: 'GET', path: '/console/sign-in.json', header: () => undefined })
  expect(answer?.status).toBe(200)
  expect(JSON.parse(String(answer?.body))).toEqual(told)
  expect(answer?.headers).toContainEqual(['cache-control', 'no-cache'])
})
