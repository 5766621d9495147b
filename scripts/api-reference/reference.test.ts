import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Example, renderCommand } from './examples.ts'

const SCRIPT = resolve(import.meta.dirname, '../generate-api-reference.ts')

test('the committed pages are those that the generator writes', () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test.each<[string, Example, readonly string[]]>([
  [
    'a service for programs with a public key, and variables outside of the quotes',
    { call: 'sdk.devices.v1.DevicesService/UpdateStatus', body: { id: '$DEVICE_ID', $url: "it's" } },
    ['curl -s "$URL/sdk', `-H 'x-api-key: '"$PUBLIC_KEY"`, `{"id": "'"$DEVICE_ID"'", "$url": "it'\\''s"}`],
  ],
  [
    'a method of a project with a token and that project',
    { call: 'dashboard.projects.v1.ProjectsService/Get', project: 'OTHER' },
    [`-H 'authorization: Bearer '"$TOKEN"`, `-H 'x-project-id: '"$OTHER"`, `-d '{}'`],
  ],
  [
    'a method of nobody without a credential',
    { call: 'public.auth.v1.AuthService/DemoSignIn', body: {} },
    [`-H 'content-type: application/json' \\\n  -d '{}'`],
  ],
])('a command calls %s', (_, example, parts) => {
  const command = renderCommand(example, 'unary')
  expect(parts.filter((part) => !command.includes(part))).toEqual([])
})

test('the message of a stream has its flags and its length before it', () => {
  const example = { call: 'shared.profiles.v1.ProfilesService/List', body: { pageToken: 'ä' } }
  expect(renderCommand(example, 'stream')).toMatch(
    /^printf '\\000\\000\\000\\000\\022%s' '\{"pageToken":"ä"\}' \|/,
  )
})
