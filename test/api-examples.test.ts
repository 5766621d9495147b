import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMED_CALLS } from '../scripts/api-reference/errors.ts'
import { type Example, readExamples, renderCommand } from '../scripts/api-reference/examples.ts'
import { readInterface } from '../scripts/api-reference/read-interface.ts'
import { pathOf } from '../scripts/api-reference/render-service.ts'
import { AUDIT_RULES } from '../src/domain/audit-actions.ts'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import { type MailServer, startMailServer } from './harness/mail-server.ts'
import { matchAnswer } from './harness/match-answer.ts'
import { type PushService, startPushService } from './harness/push-service.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const ROOT = resolve(import.meta.dirname, '..')
const EMAIL = 'admin@example.org'
const PASSWORD = 'a long enough password'

const methods = new Map(
  readInterface(ROOT)
    .services.flatMap((service) => service.methods)
    .map((method) => [pathOf(method), method.methodKind === 'unary' ? 'unary' : 'stream'] as const),
)
const examples = readExamples(ROOT)
const run = promisify(execFile)

let service: TestService
let mail: MailServer
let push: PushService
let folder: string
let variables: Record<string, string>

beforeAll(async () => {
  mail = await startMailServer()
  push = await startPushService()
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: EMAIL,
    SERVICE_BOOTSTRAP_PASSWORD: PASSWORD,
    SERVICE_FCM_URL: push.url,
    ...ALLOW_LOOPBACK,
  })
  folder = mkdtempSync(join(tmpdir(), 'millrace-examples-'))
  writeFileSync(join(folder, 'service-account.json'), push.account)
  variables = { URL: service.url, PUBLIC_KEY, PRIVATE_KEY, EMAIL, PASSWORD, SMTP_PORT: String(mail.port) }
})

afterAll(async () => {
  await service?.destroy()
  await push?.stop()
  await mail?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

test('every method has an example that the pages show', () => {
  const shown = new Set(examples.filter(({ isSetup }) => isSetup !== true).map(({ call }) => call))
  expect([...methods.keys()].filter((call) => !shown.has(call))).toEqual([])
})

test('examples and errors name existing methods and services', () => {
  const services = [...methods.keys()].map((call) => call.split('/', 1)[0])
  const known = new Set<string | undefined>([...methods.keys(), ...services])
  expect([...examples.map(({ call }) => call), ...NAMED_CALLS].filter((call) => !known.has(call))).toEqual([])
})

// One after the other: an example uses what those before it made.
test.each(examples.map((example, index) => [index, example.call, example] as const))(
  'example %i works: %s',
  async (_, __, example) => {
    const logged = service.output.stderr.length
    const answer = await waitFor(`the answer of ${example.call}`, async () => {
      const found = await ask(example)
      const isThere = matchAnswer(example.answer ?? {}, found)
      return isThere || example.isEventual !== true ? found : undefined
    })
    expect(answer).toSatisfy(
      (found) => matchAnswer(example.answer ?? {}, found),
      JSON.stringify(example.answer),
    )
    expect(Object.hasOwn(answer, 'code')).toBe(JSON.stringify(example.answer ?? {}).startsWith('{"code"'))
    for (const [name, path] of Object.entries(example.capture ?? {})) variables[name] = pick(answer, path)
    for (const [name, address] of Object.entries(example.captureMail ?? {}))
      variables[name] = await readMailedToken(address, logged)
  },
)

test('every method that changes something or reads people has left an entry in the audit log', async () => {
  const recorded = Object.entries(AUDIT_RULES).flatMap(([name, methods]) =>
    Object.values(methods).flatMap((rule) => (rule.records === 'nothing' ? [] : [`${name} ${rule.action}`])),
  )
  const catalog = openCatalog(service)
  try {
    const rows = await catalog.selectFrom('audit_entries').select('action').distinct().execute()
    const found = new Set(rows.map(({ action }) => action))
    const missing = recorded.filter((text) => !found.has(text.split(' ')[1] ?? ''))
    expect(missing).toEqual(WITHOUT_EXAMPLE)
    expect(found.size).toBeGreaterThan(50)
  } finally {
    await catalog.destroy()
  }
})

/** Actions whose examples are refused: no account has a second factor, no identity provider is set up, no assistant asks, and a mail was sent a moment before. */
const WITHOUT_EXAMPLE = [
  'dashboard.orgs.v1.OrgsService organisation.require-second-factor',
  'dashboard.orgs.v1.OrgsService account.reset-second-factor',
  'millrace.account.v1.IdentitiesService identity.connect',
  'millrace.account.v1.IdentitiesService identity.disconnect',
  'millrace.account.v1.AssistantsService assistant.connect',
  'millrace.account.v1.AssistantsService assistant.disconnect',
  'millrace.account.v1.SecondFactorsService account.set-up-second-factor',
  'millrace.account.v1.SecondFactorsService account.add-passkey',
  'millrace.account.v1.SecondFactorsService account.rename-passkey',
  'millrace.account.v1.SecondFactorsService account.remove-passkey',
  'millrace.account.v1.SecondFactorsService account.replace-recovery-codes',
  'millrace.account.v1.SecondFactorsService account.remove-second-factor',
  'millrace.reports.v1.ReportsService report.resend-confirmation',
]

/** The output of an example's command, as the pages show it. */
async function ask(example: Example): Promise<Record<string, unknown>> {
  const kind = methods.get(example.call) ?? 'unary'
  const command = renderCommand(example, kind)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`, ...variables },
    encoding: 'buffer',
    timeout: 30_000,
  })
  return kind === 'unary' ? JSON.parse(stdout.toString()) : readFrames(stdout)
}

/** The messages of a stream as one, or the error that it ended with. */
function readFrames(bytes: Buffer): Record<string, unknown> {
  const length = bytes.readUInt32BE(1)
  const { error, ...message } = JSON.parse(bytes.subarray(5, 5 + length).toString())
  if (error !== undefined) return error
  const rest = bytes.subarray(5 + length)
  return rest.length === 0 ? message : { ...readFrames(rest), ...message }
}

/** The value at a path: `orgs.0.id`, or with a condition, `members[email=a@example.org].id`. */
function pick(answer: unknown, path: string): string {
  const steps = [...path.matchAll(/\[(\w+)=([^\]]+)\]|[^.[\]]+/g)]
  const value = steps.reduce<unknown>((inner, [step, key, wanted]) => {
    if (key === undefined) return (inner as Record<string, unknown>)[step]
    return (inner as Record<string, unknown>[]).find((item) => item[key] === wanted)
  }, answer)
  if (typeof value !== 'string') throw new Error(`${path} is no text in ${JSON.stringify(answer)}`)
  return value
}

/** The token in the mail to an address that the log has from some place on: no mail server is set when these go out, so that they are in the log. */
async function readMailedToken(address: string, from: number): Promise<string> {
  return await waitFor(`a mail to ${address}`, () => {
    const lines = service.output.stderr
      .slice(from)
      .split('\n')
      .filter((line) => line.includes(address))
    return /token=([\w-]+)/.exec(lines.at(-1) ?? '')?.[1]
  })
}
