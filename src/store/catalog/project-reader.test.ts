import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { createFirstProject } from '../../../test/harness/first-project.ts'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { NO_NAME_FACTS } from './name-facts.ts'
import { ProjectReader } from './project-reader.ts'

describeCatalog('project facts', (under) => {
  let projects: ProjectReader
  let id: ProjectId

  beforeEach(async () => {
    id = asProjectId((await createFirstProject(under.catalog))?.projectId ?? 0)
    projects = new ProjectReader(under.catalog)
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('a change takes effect after 4 seconds', async () => {
    const elapsed = vi.spyOn(performance, 'now').mockReturnValue(1000)
    expect(await projects.read(id)).toEqual({ reportingTimezone: 'UTC', names: NO_NAME_FACTS })
    await under.catalog.updateTable('projects').set({ reporting_timezone: 'Europe/Berlin' }).execute()
    expect(await projects.read(id)).toEqual({ reportingTimezone: 'UTC', names: NO_NAME_FACTS })
    elapsed.mockReturnValue(5001)
    // The cache reads the clock once per millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect(await projects.read(id)).toEqual({ reportingTimezone: 'Europe/Berlin', names: NO_NAME_FACTS })
  })

  test('a deleted project reports in UTC', async () => {
    expect(await projects.read(asProjectId(999_999_999))).toEqual({
      reportingTimezone: 'UTC',
      names: NO_NAME_FACTS,
    })
  })
})
