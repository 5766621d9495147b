import { LIMITS } from '../../src/kernel/limits.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { FIXTURE_EVENTS, visitEvents } from '../corpus/fixtures.ts'
import { VENDOR_FORMS, type VendorForm } from '../corpus/vendor-forms.ts'
import { cpuMicrosPerEvent } from '../rig/cpu.ts'
import { taskWork } from '../rig/task-work.ts'
import type { Teardown } from '../teardown.ts'
import { vendorBodies, vendorRequests } from './dialects.ts'

/**
 * Requests of another vendor's SDK in which each event warns, because one of its texts has one character too many, beside the same
 * requests without that character: a worker's whole task.
 */
export const warningCases: readonly BenchCase[] = VENDOR_FORMS.map((vendor) => ({
  name: `warnings/${vendor.name}`,
  unit: 'µs CPU/event',
  baseline: 'the same events without a warning',
  rounds: 9,
  prepare: async (teardown) => await prepare(vendor, teardown),
}))

async function prepare(vendor: VendorForm, teardown: Teardown): Promise<MeasureRound> {
  const work = async (characters: number) => {
    const note = 'x'.repeat(characters)
    // Page views have no properties of their own in some forms.
    const events = visitEvents(FIXTURE_EVENTS).map((event) => ({
      ...event,
      kind: 'read',
      properties: { ...event.properties, note },
    }))
    return await taskWork(teardown, FIXTURE_EVENTS, vendorRequests(vendor, vendorBodies(vendor, events)))
  }
  const baseline = await work(LIMITS.stringCodePointsMax)
  const subject = await work(LIMITS.stringCodePointsMax + 1)
  return async () => ({ cost: await cpuMicrosPerEvent(subject), baseline: await cpuMicrosPerEvent(baseline) })
}
