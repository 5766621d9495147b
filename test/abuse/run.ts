import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAttack, type Verdict } from './check-attack.ts'
import { ServiceUnderAttack } from './service-under-attack.ts'
import { ATTACKS, CHAPTERS } from './suite.ts'
import { SETUPS, type Setup } from './target.ts'

const { values } = parseArgs({
  options: {
    /** Only statements and attacks whose chapter, setup and title match. */
    only: { type: 'string', default: '' },
    /** Duration of an attack. */
    seconds: { type: 'string', default: '6' },
    /** Which part: facts, attacks or both. */
    part: { type: 'string', default: 'facts,attacks' },
    /** A file that gets the failures. */
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const only = new RegExp(values.only, 'i')
const seconds = Number(values.seconds)
const verdicts: Verdict[] = []
const write = (text: string): boolean => process.stdout.write(`${text}\n`)

function judge(verdict: Verdict): void {
  verdicts.push(verdict)
  write(
    `${verdict.failure === undefined ? 'ok  ' : 'FAIL'} ${verdict.title}${verdict.failure === undefined ? '' : `\n       ${verdict.failure}`}`,
  )
}

/** Printable text of a failure: answers may contain any bytes. */
function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 600)
}

async function runSetup(setup: Setup): Promise<void> {
  const facts = values.part.includes('facts')
    ? CHAPTERS.flatMap(({ name, statements }) =>
        statements
          .filter((one) => (one.setup ?? 'proxied') === setup && only.test(`${name} ${setup} ${one.title}`))
          .map((one) => ({ ...one, title: `${name}: ${one.title}` })),
      )
    : []
  const attacks = values.part.includes('attacks')
    ? ATTACKS.filter((one) => (one.setup ?? 'proxied') === setup && only.test(`attack ${setup} ${one.title}`))
    : []
  if (facts.length + attacks.length === 0) return
  write(`# ${setup}`)
  if (values.list) {
    for (const { title } of [...facts, ...attacks]) write(title)
    return
  }
  let service: ServiceUnderAttack | undefined
  try {
    service = await ServiceUnderAttack.start(setup)
  } catch (error) {
    const failure = `the service does not start: ${error instanceof Error ? error.message : error}`
    for (const { title } of [...facts, ...attacks]) judge({ title, failure })
    return
  }
  try {
    for (const fact of facts) {
      const startMs = performance.now()
      const seconds = (): string => `${((performance.now() - startMs) / 1000).toFixed(1)} s`
      try {
        await fact.check(service)
        judge({ title: `${fact.title} (${seconds()})` })
      } catch (error) {
        judge({ title: `${fact.title} (${seconds()})`, failure: describe(error) })
      }
    }
    for (const attack of attacks)
      for (const verdict of await checkAttack(service, attack, seconds)) judge(verdict)
  } finally {
    await service.destroy()
  }
}

for (const setup of Object.keys(SETUPS) as Setup[]) await runSetup(setup)
const failed = verdicts.filter(({ failure }) => failure !== undefined)
write(`${verdicts.length} statements, ${verdicts.length - failed.length} hold, ${failed.length} do not`)
if (values.report !== undefined)
  writeFileSync(values.report, failed.map(({ title, failure }) => `${title}\n    ${failure}\n`).join(''))
process.exitCode = failed.length === 0 ? 0 : 1

/** A process that has finished ends within this time by itself. */
const END_MS_MAX = 5000

// A handle left open must not keep a finished run alive: it is named instead.
setTimeout(() => {
  write(`still open after the run: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
}, END_MS_MAX).unref()
