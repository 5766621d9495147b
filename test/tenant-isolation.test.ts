import { describe } from 'vitest'
import { TestService } from './harness/service.ts'
import { describeIsolation } from './tenants/isolation-suite.ts'

describe('with the embedded catalog', () => describeIsolation(async () => await TestService.start()))
