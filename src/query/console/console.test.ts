import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createConsole, type ServeConsole } from './console.ts'

test.each([
  [{}, { providers: [] }],
  [{ googleClientId: 'client-1' }, { googleClientId: 'client-1', providers: [] }],
  [{ providers: [{ id: 'kc', label: 'Keycloak' }] }, { providers: [{ id: 'kc', label: 'Keycloak' }] }],
])('pages get the configured ways to sign in: %o', async (ways, told) => {
  const serve = createConsole({ ...ways, isEmbeddable: async () => false })
  const answer = await serve({ method: 'GET', path: '/console/sign-in.json', header: () => undefined })
  expect(answer?.status).toBe(200)
  expect(JSON.parse(String(answer?.body))).toEqual(told)
  expect(answer?.headers).toContainEqual(['cache-control', 'no-cache'])
})

test('a file is read when it is first served and kept from then on, and one that was removed before is not found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  mkdirSync(join(folder, 'assets'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, 'assets', name), text)
  const forms = [
    ['kept.js', 'plain'],
    ['kept.js.br', 'small'],
    ['late.js', 'late'],
    ['gone.js', 'gone'],
  ] as const
  for (const [name, text] of forms) write(name, text)
  const serve = createConsole({ isEmbeddable: async () => false, folder })
  const kept = [await ask(serve, 'kept.js', 'br'), await ask(serve, 'kept.js', '')]
  expect(kept).toEqual(['small', 'plain'])
  write('late.js', 'changed')
  expect(await ask(serve, 'late.js', '')).toBe('changed')
  rmSync(folder, { recursive: true })
  expect([await ask(serve, 'kept.js', 'br'), await ask(serve, 'kept.js', '')]).toEqual(kept)
  expect(await ask(serve, 'gone.js', '')).toBeUndefined()
})

async function ask(serve: ServeConsole, name: string, accepted: string): Promise<string | undefined> {
  const header = (field: string): string | undefined => (field === 'accept-encoding' ? accepted : undefined)
  const answer = await serve({ method: 'GET', path: `/assets/${name}`, header })
  return answer && String(answer.body)
}
