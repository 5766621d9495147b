import { afterAll, beforeAll, describe, test } from 'vitest'
import { ServiceUnderAttack } from './service-under-attack.ts'
import { CHAPTERS } from './suite.ts'
import type { Setup } from './target.ts'

/** The setups that the gate starts; the others are for the whole suite, as are the attacks that take their time. */
const GATE: readonly Setup[] = ['proxied', 'direct']

/** Chapters in which no statement depends on what another one does at the same time. */
const INDEPENDENT = new Set(['framing', 'http2', 'protobuf', 'identity', 'bombs', 'grpc'])

for (const setup of GATE) {
  describe(`a service that is set up ${setup}`, () => {
    let service: ServiceUnderAttack

    beforeAll(async () => {
      service = await ServiceUnderAttack.start(setup)
    })

    afterAll(async () => {
      await service?.destroy()
    })

    for (const { name, statements } of CHAPTERS) {
      const chosen = statements.filter((one) => (one.setup ?? 'proxied') === setup && !one.isSlow)
      const run = INDEPENDENT.has(name) ? test.concurrent : test
      run.each([...chosen])(`${name}: $title`, async ({ check }) => {
        await check(service)
      })
    }
  })
}
