import { expect, test } from 'vitest'
import { readSnippets } from './snippet.ts'

test('the info string of a block selects its action', () => {
  const infos = [
    'sh run',
    'sh run=service',
    'sh skip reason="needs the network"',
    'json request=a.B/C',
    'json response',
  ]
  const page = [...infos, 'ts run', 'sh run-by=test/x.test.ts', 'text'].map(
    (info) => `\`\`\`${info}\nx\n\`\`\`\n`,
  )
  expect(readSnippets('p.md', page.join('\n')).map(({ mode }) => mode)).toEqual([
    { kind: 'run' },
    { kind: 'service' },
    { kind: 'skip', reason: 'needs the network' },
    { kind: 'request', call: 'a.B/C' },
    { kind: 'response' },
    { kind: 'run' },
    { kind: 'run-by', test: 'test/x.test.ts' },
    { kind: 'show' },
  ])
})

test.each([
  '',
  'sh',
  'sh skip',
  'sh skip reason=""',
  'json',
  'json run',
  'sh response',
  'text run',
  'ts later',
])('a block with the info string "%s" is refused', (info) => {
  expect(() => readSnippets('p.md', `a\n\`\`\`${info}\nx\n\`\`\`\n`)).toThrow(
    `p.md:2: "${info}" does not say`,
  )
})

test('a block keeps its text and its line', () => {
  const [snippet] = readSnippets('p.md', '# A\n\n```sh run\na\n\n  b\n```\n')
  expect(snippet).toMatchObject({ page: 'p.md', line: 3, text: 'a\n\n  b' })
})

test('a block without an end is refused', () => {
  expect(() => readSnippets('p.md', '```sh run\na\n')).toThrow('p.md:1: the block has no end')
})
