import type { BenchCase } from '../case.ts'
import { BATCH_SIZES, FIXTURE_EVENTS, VISIT_EVENTS, visitBodies } from '../corpus/fixtures.ts'
import { OWN_FORMS, type OwnForm } from '../corpus/own-forms.ts'
import { AGENTS } from '../corpus/vocabulary.ts'
import { cpuMicrosPerEvent, PARSE_JSON, parseJsonWork } from '../rig/cpu.ts'
import { taskWork } from '../rig/task-work.ts'
import { binaryRequest, jsonRequest } from '../rig/worker.ts'
import { inProcessCase } from './in-process.ts'

const VISITS_SIZE = 100

/** A worker's whole task, with the first corpus in batches of every size, and with the others in batches of 100. */
export const taskCases: readonly BenchCase[] = [
  ...BATCH_SIZES.map((size) =>
    inProcessCase({
      name: `task/json-batch-${size}`,
      size,
      prepare: async (bodies, teardown) =>
        (await taskWork(teardown, FIXTURE_EVENTS, bodies.map(jsonRequest))).run,
    }),
  ),
  ...(Object.keys(OWN_FORMS) as OwnForm[]).flatMap((form) => [
    visitsCase(form, 'json'),
    visitsCase(form, 'binary'),
  ]),
]

function visitsCase(form: OwnForm, protocol: 'json' | 'binary'): BenchCase {
  return {
    name: `task/${form}-${protocol}-${VISITS_SIZE}`,
    unit: 'µs CPU/event',
    baseline: PARSE_JSON,
    rounds: 9,
    prepare: async (teardown) => {
      const json = visitBodies(form, VISITS_SIZE)
      const baseline = parseJsonWork(json, VISIT_EVENTS)
      const bodies = protocol === 'json' ? json : visitBodies(form, VISITS_SIZE, protocol)
      const requestOf = protocol === 'json' ? jsonRequest : binaryRequest
      const requests = bodies.map((body, index) => {
        const request = requestOf(body)
        const userAgent = AGENTS[index % AGENTS.length]?.userAgent
        return { ...request, client: { ...request.client, userAgent } }
      })
      const subject = await taskWork(teardown, VISIT_EVENTS, requests)
      return async () => ({
        cost: await cpuMicrosPerEvent(subject),
        baseline: await cpuMicrosPerEvent(baseline),
      })
    },
  }
}
