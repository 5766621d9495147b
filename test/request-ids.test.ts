import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { runMillrace, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

let service: TestService

beforeAll(async () => {
  service = await TestService.start({ SERVICE_TRUSTED_PROXIES: '192.0.2.0/24' })
})

afterAll(async () => {
  await service.destroy()
})

/** Lines of the log about a request. */
function linesAbout(requestId: string): readonly Record<string, unknown>[] {
  const lines = service.output.stderr.split('\n').filter((line) => line.startsWith('{'))
  return lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter((line) => line.requestId === requestId)
}

test.each([
  ['store', 'query', 'from-query'],
  ['query', 'edge', 'from-edge'],
] as const)(
  'while the %s process is gone, the %s process logs failures with the id that the client got',
  async (dies, logs, requestId) => {
    process.kill(service.pid(dies), 'SIGKILL')
    const failed = await waitFor('a call to fail', async () => {
      const answer = await service.call(
        EXPLORER,
        {},
        { 'x-request-id': requestId, 'cache-control': 'no-cache' },
      )
      return answer.status === 503 ? answer : undefined
    })
    expect(failed.headers.get('x-request-id')).toBe(requestId)
    expect(failed.body).toMatchObject({ code: 'unavailable' })
    const [line] = await waitFor('the line of the log', () => {
      const lines = linesAbout(requestId)
      return lines.length > 0 ? lines : undefined
    })
    expect(line).toMatchObject({ role: logs, requestId })
    expect(line?.level).toMatch(/^(error|warn)$/)
  },
)

test('the doctor reports a proxy that is not trusted', async () => {
  const read = async (): Promise<string> => {
    const { stdout } = await runMillrace(['doctor'], service.environment)
    return /^.* proxies .*$/m.exec(stdout)?.[0] ?? ''
  }
  await waitFor('the service to work again', async () => {
    const { status } = await service.call(EXPLORER, {}, { 'cache-control': 'no-cache' })
    return status === 200 ? true : undefined
  })
  expect(await read()).toMatch(/^ok /)
  const event = makeEvent({ distinctId: undefined, sessionId: undefined, cookieless: true })
  const headers = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Mozilla/5.0' }
  expect(await service.call(BATCH_CREATE, { events: [event] }, headers)).toMatchObject({ status: 200 })
  expect(await read()).toMatch(/^warn .* 1 requests .* SERVICE_TRUSTED_PROXIES/)
})
