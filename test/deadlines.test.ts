import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
})

interface Counted {
  readonly accepted: number
  readonly late: number
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return lines
    .filter((line) => !line.includes('reason=') || line.includes('reason="DEADLINE_EXCEEDED"'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** Calls whose time is over somewhere on their way: while their key is looked up, in the queue, at a worker, or after it. */
async function callInHaste(
  count: number,
  call: (headers: Readonly<Record<string, string>>) => Promise<number>,
): Promise<Counted> {
  const statuses: number[] = []
  const send = async (worker: number): Promise<void> => {
    for (let index = worker; index < count; index += 8)
      statuses.push(await call({ 'connect-timeout-ms': String(1 + (index % 40)) }))
  }
  await Promise.all(Array.from({ length: 8 }, (_, worker) => send(worker)))
  const of = (status: number): number => statuses.filter((one) => one === status).length
  expect(of(200) + of(504)).toBe(count)
  return { accepted: of(200), late: of(504) }
}

test('a batch past its deadline is refused and not taken, or taken and not refused', async () => {
  const { accepted, late } = await callInHaste(240, async (headers) => {
    const events = Array.from({ length: 200 }, () => makeEvent())
    return (await service.call(BATCH_CREATE, { events }, headers)).status
  })
  expect(late).toBeGreaterThan(0)
  await waitFor('the last batch to be counted', async () =>
    (await metric('millrace_events_accepted_total')) === accepted * 200 ? true : undefined,
  )
  expect(await metric('millrace_batches_rejected_total')).toBe(late)
})

test('the same for Identify', async () => {
  const { accepted, late } = await callInHaste(240, async (headers) => {
    const traits = { about: { stringValue: 'x'.repeat(900) } }
    const call = { externalId: `user-${Math.random()}`, anonymousId: 'anon-1', traits }
    return (await service.call(IDENTIFY, call, headers)).status
  })
  expect(accepted + late).toBe(240)
  await waitFor('the last call to be counted', async () =>
    (await metric('millrace_identifies_accepted_total')) === accepted ? true : undefined,
  )
})
