import { expect, test } from 'vitest'
import { findCommands } from './commands.ts'

const COMMANDS = [
  { group: 'Pages', label: 'Dashboards' },
  { group: 'Actions', label: 'New dashboard' },
  { group: 'Pages', label: 'Live' },
  { group: 'Dashboards', label: 'My sign-up dash' },
  { group: 'Dashboards', label: 'Dash of growth' },
].map((command) => ({ ...command, run: () => undefined }))

test.each([
  ['', ['Dashboards', 'Live', 'New dashboard', 'My sign-up dash', 'Dash of growth']],
  ['DASH', ['Dashboards', 'New dashboard', 'Dash of growth', 'My sign-up dash']],
  ['sign_up', ['My sign-up dash']],
  ['nothing', []],
])('"%s" finds commands in their groups, prefixes first', (text, labels) => {
  expect(findCommands(COMMANDS, text).map(({ label }) => label)).toEqual(labels)
})
