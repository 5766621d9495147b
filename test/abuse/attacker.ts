import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { call } from './client.ts'
import type { Attack, Endings } from './statement.ts'
import { ATTACKS } from './suite.ts'
import { type Setup, Target, type Tenant } from './target.ts'

/** The attacker's order. */
interface Order {
  readonly title: string
  readonly setup: Setup
  readonly url: string
  readonly tenant: Tenant
  readonly seconds: number
}

type Report = { readonly endings: readonly (readonly [string, number])[] } | { readonly error: string }

/** An attack may take so long to let go of what it holds. */
const END_MS_MAX = 40_000

/** An attack that has begun in a separate process. */
export interface Begun {
  readonly endings: Promise<Endings>
}

/**
 * Runs an attack in a separate process, with little right to the processors: elsewhere it would have its own.
 * Resolves when it begins.
 */
export async function sendAttacker(target: Target, { title }: Attack, seconds: number): Promise<Begun> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [], serialization: 'advanced' })
  const order: Order = { title, setup: target.setup, url: target.url, tenant: target.other, seconds }
  child.send(order)
  try {
    await receive(child, END_MS_MAX)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { endings: report(child, seconds * 1000 + END_MS_MAX) }
}

async function receive(child: ChildProcess, timeoutMs: number): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs)
  const [message] = (await Promise.race([once(child, 'message', { signal }), failIfGone(child)])) as [unknown]
  return message
}

async function report(child: ChildProcess, timeoutMs: number): Promise<Endings> {
  try {
    const said = (await receive(child, timeoutMs)) as Report
    if ('error' in said) throw new Error(said.error)
    return new Map(said.endings)
  } finally {
    child.kill('SIGKILL')
  }
}

async function failIfGone(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`the attacker ended with ${code ?? signal}`)
}

/** The attackers' own project has answers of half a megabyte. */
async function fillTenant({ url, other }: Target): Promise<void> {
  const text = { stringValue: 'x'.repeat(600) }
  const events = Array.from({ length: 1000 }, () => makeEvent({ customProperties: { text } }))
  await call(url, BATCH_CREATE, { events }, { 'x-api-key': other.publicKey })
}

async function obey({ title, setup, url, tenant, seconds }: Order): Promise<Report> {
  const attack = ATTACKS.find((one) => one.title === title)
  if (!attack) return { error: `there is no attack ${title}` }
  try {
    await fillTenant(new Target(setup, url, tenant))
    attack.prepare?.()
    process.send?.('ready')
    const endings = await attack.run(new Target(setup, url, tenant), performance.now() + seconds * 1000)
    return { endings: [...endings] }
  } catch (error) {
    return { error: error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error) }
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('message', async (order: Order) => process.send?.(await obey(order)))
}
