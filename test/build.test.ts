import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const execFileAsync = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

test('the compiled service runs', async () => {
  await execFileAsync('npm', ['run', '--silent', 'build'], { cwd: root })
  const entry = resolve(root, 'dist/bin/millrace.js')
  const { stdout } = await execFileAsync(process.execPath, [entry, 'config'], {
    env: { PATH: process.env.PATH ?? '', SERVICE_SERVER_PORT: '4321' },
  })
  expect(stdout).toContain('SERVICE_SERVER_PORT=4321')
})
