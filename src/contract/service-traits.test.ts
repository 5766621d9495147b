import { expect, test } from 'vitest'
import { SERVICE_NAMES } from './gen/service-names.js'
import { familyOfPath, LARGE_SERVICES } from './service-traits.ts'

test.each([...SERVICE_NAMES])('the path of %s has a family', (name) => {
  expect(familyOfPath(`/${name}/Method`)).toBeDefined()
})

test.each([
  ['/sdk.events.v1.EventsService/BatchCreate', 'every', true],
  ['/public.auth.v1.AuthService/SignInWithEmail', 'configured', false],
  ['/grpc.health.v1.Health/Check', 'none', false],
])('%s has the traits of its family', (path, origins, needsCredential) => {
  expect(familyOfPath(path)).toEqual({ origins, needsCredential })
})

test.each(['/', '', '/sdk', '/sdk.', '/sdkx.v1.XService/Get', '/sdk.js', '/constructor.a', 'sdk.events.v1'])(
  'the path %j belongs to a family only by its first part',
  (path) => {
    expect(familyOfPath(path)?.origins).toBe(path.startsWith('/sdk.') ? 'every' : undefined)
  },
)

test('only dashboards have large messages', () => {
  expect([...LARGE_SERVICES]).toEqual(['dashboard.dashboards.v1.DashboardsService'])
})
