import { expect, test } from 'vitest'
import { formatBreach } from './breach.ts'
import { checkTexts } from './check-texts.ts'
import { parseCode } from './code-file.ts'

const PAGE = 'console/src/pages/page.tsx'

async function check(path: string, text: string): Promise<readonly string[]> {
  return (await parseCode([{ path, text }])).flatMap(checkTexts).map(formatBreach)
}

test.each([
  [PAGE, `const a = <p class="page" title={t('page.title')}>{t('page.text')}&nbsp;·</p>`],
  [PAGE, `const a = <kbd>esc</kbd>`],
  [PAGE, `const a = <input placeholder="grace@example.com" />`],
  [PAGE, `const a = <path d="M0 0H4" onKeyDown={(event) => event.key === 'Escape' && close()} />`],
  [PAGE, `import a from './a.ts'\nconst b = 'a-name'`],
  ['console/src/pages/page.ts', `const a = 'PROPERTY_SOURCE_AUTO' as const`],
  ['console/src/pages/page.test.ts', `const a = 'A person looks at it'`],
  ['console/src/gallery/page.tsx', `const a = <p>A person looks at it</p>`],
])('%s may hold %j', async (path, text) => {
  expect(await check(path, text)).toEqual([])
})

test.each([
  [PAGE, 'const a = <p>\n  Save to tile\n</p>', 'Save to tile'],
  [PAGE, 'const a = <p>{count()} online</p>', 'online'],
  [PAGE, `const a = <nav aria-label="sections" />`, 'sections'],
  [PAGE, `const a = <input placeholder="growth" />`, 'growth'],
  [PAGE, `const a = <Section name="Events" />`, 'Events'],
  [PAGE, `const a = <Show when={tile()} fallback="Query" />`, 'Query'],
  [PAGE, `const a = <p>{\`Query of “\${name()}”\`}</p>`, 'Query of “'],
  [PAGE, `const a = <p>{isSlow() ? 'This takes long.' : ''}</p>`, 'This takes long.'],
  ['console/src/dashboards/tiles.ts', `throw new Failure({ message: 'It is gone.' })`, 'It is gone.'],
  ['console/src/rpc/session.ts', `const a = 'The service is gone.'`, 'The service is gone.'],
])('%s may not hold %j', async (path, text, subject) => {
  const breaches = await check(path, text)
  expect(breaches).toEqual([expect.stringContaining(`has the text ‘${subject}’: make it a message`)])
})
