import { afterAll, beforeAll, describe } from 'vitest'
import { hasPostgres, type LocalPostgres, startLocalPostgres } from './harness/local-postgres.ts'
import { TestService } from './harness/service.ts'
import { describeIsolation } from './tenants/isolation-suite.ts'

describe.skipIf(!hasPostgres())('with the catalog on PostgreSQL', () => {
  let postgres: LocalPostgres

  beforeAll(async () => {
    postgres = await startLocalPostgres()
  })

  afterAll(async () => await postgres?.destroy())

  describeIsolation(async () => TestService.start({ SERVICE_DATABASE_URL: await postgres.createDatabase() }))
})
