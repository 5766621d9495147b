import { expect, test } from 'vitest'
import { findServices } from '../../test/harness/contract-services.ts'
import { SERVICE_NAMES } from './service-names.ts'

test('every service has its name in the list, and no other', async () => {
  const services = await findServices()
  expect([...SERVICE_NAMES].sort()).toEqual(services.map(({ typeName }) => typeName).sort())
})
