import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, runMillrace } from './harness/service.ts'
import { freePort, waitFor } from './harness/wait.ts'

const ENTRY = resolve(import.meta.dirname, '../src/bin/millrace.ts')

/** Everything is read-only for the program but one folder, as in a container without a writable root. */
const CONFINE = `
mount --make-rprivate / && mount --bind "$1" "$1" || exit 98
mount | awk '{ print $3 }' | while read -r target; do
  case "$target" in "$1"|/proc*|/sys*|/dev|/dev/pts) ;; *) mount -o remount,bind,ro "$target" 2>/dev/null ;; esac
done
touch "$2" 2>/dev/null && exit 99
shift 2
exec setpriv --reuid=12345 --regid=12345 --clear-groups --no-new-privs --bounding-set=-all "$@"
`

const canConfine =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'true']).status === 0 &&
  spawnSync('setpriv', ['--version']).status === 0

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-read-only-'))
  chmodSync(folder, 0o755)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!canConfine)(
  'with nothing writable but the data folder, and no rights, the service takes an event and gives it back',
  async () => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    spawnSync('chown', ['12345:12345', dataDir])
    const url = `http://127.0.0.1:${await freePort()}`
    const environment = {
      PATH: process.env.PATH ?? '',
      SERVICE_DATA_DIR: dataDir,
      SERVICE_SERVER_PORT: new URL(url).port,
      SERVICE_ADMIN_PORT: String(await freePort()),
      SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
      SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
      SERVICE_BATCH_MAX_MS: '100',
    }
    const words = ['--mount', 'sh', '-c', CONFINE, 'sh', dataDir, join(folder, 'probe')]
    const child = spawn('unshare', [...words, process.execPath, ENTRY, 'start'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
    })
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    try {
      await waitFor('the service to be ready', async () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${log}`)
        const { code } = await runMillrace(['health'], environment)
        return code === 0 ? true : undefined
      })
      const call = async (method: string, body: unknown): Promise<Record<string, unknown>> => {
        const headers = { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY }
        const response = await fetch(`${url}/${method}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        const answer: Record<string, unknown> = JSON.parse(await response.text())
        return answer
      }
      expect(await call(BATCH_CREATE, { events: [makeEvent({ distinctId: 'anon-ro' })] })).toEqual({
        accepted: 1,
      })
      await waitFor('the event to be found', async () => {
        const { events } = await call('shared.activity.v1.ActivityService/GetEventExplorer', {
          distinctId: 'anon-ro',
        })
        return Array.isArray(events) && events.length === 1 ? true : undefined
      })
      expect(log).not.toMatch(/EROFS|EACCES|EPERM/)
    } finally {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    }
    expect(child.exitCode).toBe(0)
  },
)

test('health of a service that does not run is a failure in one line', async () => {
  const { code, stderr } = await runMillrace(['health'], { SERVICE_SERVER_PORT: String(await freePort()) })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^millrace: the service does not respond: .*\n$/)
})
