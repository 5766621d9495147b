import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { sleep, systemClock } from '../../kernel/clock.ts'
import { withLease } from '../../store/catalog/lease.ts'
import { listProjects } from '../../store/catalog/projects.ts'
import { BOOTSTRAP_LEASE, bootstrapProject } from './first-project.ts'

const execFileAsync = promisify(execFile)
const NO_KEYS = { publicKey: undefined, privateKey: undefined }

describeCatalog('the first project', (under) => {
  test('of concurrent processes, one creates the project', async () => {
    const script = `
    const { openCatalog } = await import('../../store/catalog/catalog.ts')
    const { bootstrapProject } = await import('./first-project.ts')
    const catalog = openCatalog(${JSON.stringify(under.place)})
    const created = await bootstrapProject(catalog, { nowMs: () => 1 }, {})
    await catalog.destroy()
    process.stdout.write(created === undefined ? 'nothing to do' : 'created')
  `
    const run = async (): Promise<string> => {
      const { stdout } = await execFileAsync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
      })
      return stdout
    }
    const outcomes = await Promise.all([run(), run(), run()])
    expect(outcomes.sort()).toEqual(['created', 'nothing to do', 'nothing to do'])
    expect(await listProjects(under.catalog)).toMatchObject([
      { displayName: 'Default', reportingTimezone: 'UTC' },
    ])
  })

  test('the first project is created under a lease, so that it is number 1', async () => {
    const order: string[] = []
    const holder = withLease({ ...BOOTSTRAP_LEASE, catalog: under.catalog, clock: systemClock }, async () => {
      const created = bootstrapProject(under.catalog, systemClock, NO_KEYS).finally(() =>
        order.push('created'),
      )
      await sleep(300)
      order.push('the lease is released')
      return { created }
    })
    expect(await (await holder).created).toMatchObject({ projectId: 1 })
    expect(order).toEqual(['the lease is released', 'created'])
  })
})
