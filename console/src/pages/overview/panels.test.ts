import { expect, test } from 'vitest'
import { chosenView, PANELS } from './panels.ts'
import { readState } from './view-state.ts'

const PLACES = PANELS.filter(({ name }) => name === 'places')

const shownAt = (address: string): string | undefined => {
  const query = new URLSearchParams(address)
  return PLACES.map((panel) => chosenView(panel, query, readState(query).filters).name)[0]
}

test.each([
  ['', 'map'],
  ['filter=country:is:DE', 'city'],
  ['filter=country:is-not:DE', 'map'],
  ['filter=browser:is:Firefox', 'map'],
  ['places=country&filter=country:is:DE', 'country'],
  ['places=map&filter=country:is:DE', 'map'],
  ['places=browser', 'map'],
])('the address "%s" shows the places by %s', (address, view) => {
  expect(shownAt(address)).toBe(view)
})
