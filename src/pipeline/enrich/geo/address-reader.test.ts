import { expect, test, vi } from 'vitest'
import { createAddressReader } from './address-reader.ts'

test('an answer is remembered, also that there is none, until the database changes', () => {
  const find = vi.fn((address: string) => (address === '192.0.2.1' ? { country: 'DE' } : undefined))
  const database = { find, version: 1 }
  const read = createAddressReader(database, 2)
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']
  expect(addresses.map(read)).toEqual([{ country: 'DE' }, undefined, { country: 'DE' }, undefined])
  expect(find).toHaveBeenCalledTimes(2)
  database.version = 2
  addresses.map(read)
  expect(find).toHaveBeenCalledTimes(4)
})
