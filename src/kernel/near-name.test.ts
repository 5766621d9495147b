import { expect, test } from 'vitest'
import { findNearName } from './near-name.ts'

const NAMES = [
  'SERVICE_SERVER_PORT',
  'SERVICE_ADMIN_PORT',
  'SERVICE_ROLES',
  'SERVICE_DATA_DIR',
  'start',
  'doctor',
]

test.each([
  ['SERVICE_SERVER_PROT', 'SERVICE_SERVER_PORT'],
  ['SERVICE_SERVER_PORTS', 'SERVICE_SERVER_PORT'],
  ['SERVICE_ADMINPORT', 'SERVICE_ADMIN_PORT'],
  ['SERVICE_ROLE', 'SERVICE_ROLES'],
  ['SERVICE_DATA_DIRECTORY', undefined],
  ['SERVICE_UNHEARD_OF', undefined],
  ['doctr', 'doctor'],
  ['strat', 'start'],
  ['stop', undefined],
  ['', undefined],
])('the name nearest to %j is %s', (misspelt, near) => {
  expect(findNearName(misspelt, NAMES)).toBe(near)
})
