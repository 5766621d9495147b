import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PUBLIC_KEY } from '../harness/service.ts'
import type { Snippet } from './snippet.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TIMEOUT_MS = 50_000

const run = promisify(execFile)

/** What a reader who follows a page calls next, by page: one event of {@link kindOfPage}, and the end of the program. */
const CALLS: Readonly<Record<string, (kind: string) => string>> = {
  amplitude: (kind) => `
    import { flush, track } from '@amplitude/analytics-node'
    track('${kind}', undefined, { user_id: 'docs' })
    // The SDK is ready after the promises that \`init\` waits for; an earlier flush sends nothing.
    await new Promise(setImmediate)
    await flush().promise
    // Its timer keeps the process for ten seconds.
    process.exit()`,
  mixpanel: (kind) => `
    await new Promise((done) => mixpanel.track('${kind}', { distinct_id: 'docs' }, done))`,
  openpanel: (kind) => `
    await op.track('${kind}', { profileId: 'docs' })`,
  posthog: (kind) => `
    client.capture({ distinctId: 'docs', event: '${kind}' })
    await client.shutdown()`,
  rudderstack: (kind) => `
    client.track({ userId: 'docs', event: '${kind}' })
    await new Promise((done) => client.flush(done))`,
  segment: (kind) => `
    analytics.track({ userId: 'docs', event: '${kind}' })
    await analytics.closeAndFlush()`,
  umami: (kind) => `
    await umami.track('${kind}', { plan: 'pro' })`,
}

/** The kind of the event that a page's program sends. */
export function kindOfPage({ page }: Snippet): string {
  return `docs_${nameOf(page)}`
}

/** Runs the block of a page as it stands, with only the host and the key replaced. */
export async function runVendorSdk(
  snippet: Snippet,
  at: { readonly url: string; readonly folder: string },
): Promise<void> {
  const { host, origin, protocol } = new URL(at.url)
  const text = snippet.text
    .replaceAll('pub_...', PUBLIC_KEY)
    .replaceAll('https://analytics.example.com', origin)
    .replaceAll('analytics.example.com', host)
    .replaceAll("'https'", `'${protocol.slice(0, -1)}'`)
  const calls = CALLS[nameOf(snippet.page)]
  if (calls === undefined) throw new Error(`${snippet.page}: no call for the SDK of this page`)
  // A folder without a package.json, whose programs are of the newest form.
  const file = join(at.folder, `${nameOf(snippet.page)}.mjs`)
  writeFileSync(file, `${text}\n${calls(kindOfPage(snippet))}\n`)
  await run(process.execPath, [file], { cwd: at.folder, timeout: TIMEOUT_MS })
}

/** Lets the programs of a folder import what is installed here. */
export function installPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

function nameOf(page: string): string {
  return page.replace(/^.*\/|\.md$/g, '')
}
