import { expect, test } from 'vitest'
import { createConsole } from './console.ts'

test.each([
  [undefined, {}],
  ['client-1', { googleClientId: 'client-1' }],
])('pages are told which client of Google they sign in for: %s', (googleClientId, told) => {
  const serve = createConsole({ googleClientId })
  const answer = serve({ method: 'GET', path: '/console/sign-in.json', header: () => undefined })
  expect(answer?.status).toBe(200)
  expect(JSON.parse(String(answer?.body))).toEqual(told)
  expect(answer?.headers).toContainEqual(['cache-control', 'no-cache'])
})
