import { expect, test } from 'vitest'
import { partsOfCode } from './code-parts.ts'

const write = (line: string): string =>
  partsOfCode(line)
    .map(({ text, role }) => (role ? `[${role} ${text}]` : text))
    .join('')

test.each([
  ['<script async', '<[tag script] async'],
  ['></script>', '></[tag script]>'],
  ['  data-key="pub_1"', '  [name data-key]=[text "pub_1"]'],
  ['<!-- Millrace -->', '[comment <!-- Millrace -->]'],
  [
    "import { init } from '@millrace/browser'",
    "[keyword import] { init } [keyword from] [text '@millrace/browser']",
  ],
  ['npm install ./sdk/react  # React, Next.js', 'npm install ./sdk/react  [comment # React, Next.js]'],
  // An address is no comment, nor is a text that does not end in the line.
  ['curl https://stats.example/sdk', 'curl https://stats.example/sdk'],
  [`  -d '{"events": [{`, `  -d '{[text "events"]: [{`],
  ['', ''],
])('finds the parts of %s', (line, parts) => {
  expect(write(line)).toBe(parts)
})
