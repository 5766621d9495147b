import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { canMount, mountReadOnly, unmountDisk } from './harness/small-disk.ts'
import { isAlive, waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const ROLES = ['store', 'query', 'edge'] as const

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service.destroy()
})

async function roundTrip(distinctId: string): Promise<true | undefined> {
  const sent = await service.call(BATCH_CREATE, { events: [makeEvent({ distinctId })] })
  const found = await service.call(EXPLORER, { distinctId })
  return sent.status === 200 && (found.body.events as unknown[] | undefined)?.length ? true : undefined
}

test.each(ROLES)('after kill -9 of the %s process it serves again, and the others stay up', async (role) => {
  const before = Object.fromEntries(ROLES.map((name) => [name, service.pid(name)]))
  process.kill(service.pid(role), 'SIGKILL')
  await waitFor('the dead process to be gone', () => (isAlive(before[role] ?? 0) ? undefined : true))
  await waitFor('the service to work again', () => roundTrip(`anon-after-${role}`))
  const after = Object.fromEntries(ROLES.map((name) => [name, service.pid(name)]))
  expect(after[role]).not.toBe(before[role])
  expect({ ...after, [role]: 0 }).toEqual({ ...before, [role]: 0 })
})

test('a stop in order loses nothing that was acknowledged, and a start finds it', async () => {
  const events = Array.from({ length: 500 }, () => makeEvent({ distinctId: 'anon-kept' }))
  expect(await service.call(BATCH_CREATE, { events })).toMatchObject({ status: 200, body: { accepted: 500 } })
  const pids = ROLES.map((role) => service.pid(role))
  const { code } = await service.shutDown()
  expect(code).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
  await service.launch()
  const { body } = await service.call(EXPLORER, { distinctId: 'anon-kept', pageSize: 1000 })
  expect(body.events).toHaveLength(500)
})

test('keys are printed on the first start only', async () => {
  await service.shutDown()
  await service.launch()
  expect(service.output.stdout).toContain('listens on')
  expect(service.output.stdout).not.toContain('prv_')
})

test('the files of the data folder are readable by their owner only', () => {
  const modes = ['catalog.sqlite', 'catalog.sqlite-wal', 'journal', 'quarantine'].map(
    (name) => statSync(join(service.dataDir, name)).mode & 0o077,
  )
  expect(modes).toEqual([0, 0, 0, 0])
})

test('when the supervisor is killed no process of it stays', async () => {
  const pids = ROLES.map((role) => service.pid(role))
  process.kill(service.pid('supervisor'), 'SIGKILL')
  await waitFor('all processes to be gone', () => (pids.some(isAlive) ? undefined : true), 15_000)
  await service.launch()
  await waitFor('the service to work again', () => roundTrip('anon-after-supervisor'))
})

test('metrics of every role are served on the admin address', async () => {
  const response = await fetch(`${service.adminUrl}/metrics`)
  const text = await response.text()
  expect(text).toMatch(/process_resident_memory_bytes\{role="edge"\} \d+/)
  expect(text).toMatch(/process_resident_memory_bytes\{role="query"\} \d+/)
  expect(text).toMatch(/millrace_journal_bytes\{journal="events",role="edge"\} \d+/)
})

describe.runIf(canMount())('on a disk that becomes read-only', () => {
  test('a process that cannot start says why in one line, and starts once it can', async () => {
    const folder = join(service.dataDir, 'journal')
    expect(mountReadOnly(folder)).toBe(true)
    try {
      process.kill(service.pid('edge'), 'SIGKILL')
      await waitFor('the reason', () =>
        /"err":"the edge process could not start: EROFS: [^"\\]+","msg":"a role could not be restarted"/.test(
          service.output.stderr,
        )
          ? true
          : undefined,
      )
    } finally {
      unmountDisk(folder)
    }
    await waitFor('the service to work again', () => roundTrip('anon-after-read-only'))
    expect(service.output.stderr).not.toContain('triggerUncaughtException')
  })

  test('a stop stops everything in order', async () => {
    const folder = join(service.dataDir, 'run')
    expect(mountReadOnly(folder)).toBe(true)
    try {
      const pids = ROLES.map((role) => service.pid(role))
      const { code, stderr } = await service.shutDown()
      expect({ code, alive: pids.filter(isAlive) }).toEqual({ code: 0, alive: [] })
      expect(stderr).toContain('"msg":"stopped"')
    } finally {
      unmountDisk(folder)
    }
  })
})
