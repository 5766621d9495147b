import { execFile } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Snippet } from './snippet.ts'
import type { StartedService } from './started-service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TIMEOUT_MS = 30_000

/** The first `npx millrace` of an installation prepares it again. */
const COMMAND_TIMEOUT_MS = 55_000

const run = promisify(execFile)

/** The context that the blocks of one page share. */
export interface PageRun {
  readonly service: StartedService
  /** For the state of the shell and the programs of the page. */
  readonly folder: string
}

/** Runs a block. Returns its output, or the answer of the service. Throws when it fails. */
export async function runSnippet(snippet: Snippet, page: PageRun): Promise<string> {
  const { mode, language } = snippet
  if (mode.kind === 'request') return await sendRequest(snippet, mode.call, page)
  if (mode.kind !== 'run') return ''
  return language === 'ts' ? await runProgram(snippet, page) : await runCommands(snippet, page)
}

/** Whether an answer is an error of an RPC: curl ends well with these. */
export function isRpcError(text: string): boolean {
  return /^\{"code":\s*"[a-z_]+"/.test(text.trim())
}

async function runCommands(snippet: Snippet, { service, folder }: PageRun): Promise<string> {
  const state = join(folder, 'shell-state')
  const script = [
    'set -euo pipefail -o allexport',
    existsSync(state) ? `source '${state}'` : '',
    `trap 'export -p > "${state}"' EXIT`,
    service.place(snippet.text),
  ].join('\n')
  const { stdout } = await run('bash', ['-c', script], optionsOf(service))
  return stdout
}

async function runProgram({ text, line }: Snippet, { service, folder }: PageRun): Promise<string> {
  const file = join(folder, `line-${line}.ts`)
  // Programs import the packages of this repository by their names.
  const packages = join(folder, 'node_modules')
  if (!existsSync(packages)) symlinkSync(join(ROOT, 'node_modules'), packages)
  writeFileSync(file, service.place(text))
  const { stdout } = await run(process.execPath, [file], optionsOf(service))
  return stdout
}

async function sendRequest({ text }: Snippet, call: string, { service }: PageRun): Promise<string> {
  const { PRIVATE_KEY = '' } = service.environment
  const response = await fetch(`${service.url}/${call}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'connect-protocol-version': '1',
      'x-api-key': PRIVATE_KEY,
    },
    body: text,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return await response.text()
}

function optionsOf({ environment }: StartedService) {
  return { cwd: ROOT, env: { ...environment }, timeout: COMMAND_TIMEOUT_MS }
}
