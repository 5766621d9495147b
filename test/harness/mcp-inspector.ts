import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './wait.ts'

/** Milliseconds for one command, whose program is a large bundle. */
const RUN_MS_MAX = 60_000

/** The Inspector writes this to its standard error when it asks for a browser. */
const NAVIGATE = /^Please navigate to: (\S+)$/m

const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const PROGRAM = join(dirname(PACKAGE), 'clients/launcher/build/index.js')

/** How a command of the Inspector ended. */
export interface InspectorRun {
  readonly code: number | null
  /** The result of the method; empty after a failure. */
  readonly result: Readonly<Record<string, unknown>>
  readonly stderr: string
}

/** The command line of the MCP Inspector, which keeps what it stores in a folder of its own. */
export class McpInspector {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mcp-inspector-'))
  readonly #port: number
  readonly #serverUrl: string

  private constructor(port: number, serverUrl: string) {
    this.#port = port
    this.#serverUrl = serverUrl
  }

  /** Prepares one for a server. */
  static async for(serverUrl: string): Promise<McpInspector> {
    return new McpInspector(await freePort(), serverUrl)
  }

  /** Runs a command; `browse` is the browser that it opens, if it does. */
  async run(words: readonly string[], browse?: (url: string) => Promise<void>): Promise<InspectorRun> {
    const callback = `http://127.0.0.1:${this.#port}/oauth/callback`
    const server = ['--server-url', this.#serverUrl, '--callback-url', callback, '--format', 'json']
    const child = spawn(process.execPath, [PROGRAM, '--cli', ...server, ...words], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_MS_MAX,
    })
    let [stdout, stderr] = ['', '']
    let browsing: Promise<void> | undefined
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      const url = NAVIGATE.exec(stderr)?.[1]
      if (url !== undefined) browsing ??= browse?.(url)
    })
    const [code] = await once(child, 'close')
    await browsing
    const { result = {} } = stdout === '' ? {} : JSON.parse(stdout)
    return { code, result, stderr }
  }

  /** Removes its folder. */
  destroy(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.#folder,
      MCP_STORAGE_DIR: this.#folder,
      MCP_INSPECTOR_SECRET_STORE: 'file',
      // It asks for a browser only where it could open one; this one does nothing.
      MCP_AUTO_OPEN_ENABLED: 'true',
      BROWSER: 'true',
    }
  }
}
