import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFreeBytesSync } from '../src/kernel/disk-space.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { runMillrace, TestService } from './harness/service.ts'
import { canMount, mountDisk, unmountDisk } from './harness/small-disk.ts'
import { waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const MIB = 1024 ** 2
const DISK_MIB = 400

/** Less than the reserve for the store, and enough for the store to go on. */
const LEFT_BYTES = 100 * MIB

describe.runIf(canMount())('on a disk that is almost full', () => {
  let folder: string
  let filler: string
  let service: TestService

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-almost-full-'))
    filler = join(folder, 'filler')
    if (!mountDisk(folder, DISK_MIB)) throw new Error('the disk could not be mounted')
    service = await TestService.start({ SERVICE_BATCH_MAX_MS: '2000' }, 'ready', join(folder, 'data'))
  })

  afterAll(async () => {
    await service?.destroy()
    unmountDisk(folder)
    rmSync(folder, { recursive: true, force: true })
  })

  async function send(distinctId: string): Promise<number> {
    return (await service.call(BATCH_CREATE, { events: [makeEvent({ distinctId })] })).status
  }

  async function untilStatus(distinctId: string, status: number): Promise<void> {
    await waitFor(`an answer ${status}`, async () => ((await send(distinctId)) === status ? true : undefined))
  }

  test('events are refused before the store has no room, those acknowledged are delivered, and a backup names the sizes', async () => {
    expect(await send('anon-before')).toBe(200)
    writeFileSync(filler, Buffer.alloc(readFreeBytesSync(folder) - LEFT_BYTES, 1))
    await untilStatus('anon-during', 429)
    await waitFor('the event from before', async () => {
      const { body } = await service.call(EXPLORER, { distinctId: 'anon-before' })
      return (body.events as unknown[] | undefined)?.length === 1 ? true : undefined
    })
    expect(service.output.stderr).toContain('the disk of the data folder is almost full')
    writeFileSync(join(folder, 'rest'), Buffer.alloc(readFreeBytesSync(folder) - 8192, 1))
    expect(await runMillrace(['backup', join(folder, 'backup')], service.environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^millrace: a backup needs .* which has .* free; enlarge that disk or delete data\n$/,
      ),
    })
    rmSync(join(folder, 'rest'))
  })

  test('events are accepted again by itself once there is room', async () => {
    rmSync(filler)
    await untilStatus('anon-after', 200)
  })
})
