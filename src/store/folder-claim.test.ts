import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const CLAIM = `const { claimFolder } = await import(${JSON.stringify(import.meta.resolve('./folder-claim.ts'))})
console.log(await claimFolder(process.argv[1]))
setInterval(() => undefined, 60_000)`

/** As a container has it: without the sockets of all other processes, and with the same files. */
const OTHER_NETWORK = ['unshare', '--map-root-user', '--net'] as const
const hasNetworks = spawnSync(OTHER_NETWORK[0], [...OTHER_NETWORK.slice(1), 'true']).status === 0

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-claim-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  rmSync(folder, { recursive: true, force: true })
})

/** Claims the folder in a process of its own, which then waits. */
async function claim(
  ...wrapper: readonly string[]
): Promise<{ readonly child: ChildProcess; readonly is: string }> {
  const [program = '', ...words] = [...wrapper, process.execPath, '--input-type=module', '-e', CLAIM, folder]
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [text] = await once(child.stdout, 'data')
  return { child, is: String(text).trim() }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

test('one process at a time claims a folder, however the one before has ended', async () => {
  const first = await claim()
  expect(first.is).toBe('true')
  expect((await claim()).is).toBe('false')
  await end(first.child)
  expect((await claim()).is).toBe('true')
})

test.runIf(hasNetworks)('a process of another container finds a claim of the same volume', async () => {
  expect((await claim()).is).toBe('true')
  expect((await claim(...OTHER_NETWORK)).is).toBe('false')
})
