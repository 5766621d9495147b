import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sleep } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { type JournalOptions, openJournal } from './journal.ts'

/** Processes to kill; a longer run: `JOURNAL_KILLS=500 vitest run src/pipeline/journal/kill.test.ts`. */
const KILLS = Number(process.env.JOURNAL_KILLS ?? 6)

const root = mkdtempSync(join(tmpdir(), 'millrace-kill-'))

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

type Values = Omit<JournalOptions, 'log'>

function valuesOf(name: string, sync: 'always' | number): Values {
  const folder = join(root, name)
  const quarantineFolder = join(root, 'quarantine')
  return { folder, quarantineFolder, sync, bytesMax: 1e9, batchRowsMax: 50, batchBytesMax: 1e6, batchMs: 5 }
}

/** Appends numbers from `first` on, and prints each that was acknowledged. */
function program(values: Values, first: number): string {
  return `
    import { writeSync } from 'node:fs'
    import { openJournal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
    const silent = () => undefined
    const log = { info: silent, warn: silent, error: silent, fatal: silent }
    const journal = await openJournal({ ...${JSON.stringify(values)}, log })
    let number = ${first}
    for (let lane = 0; lane < 8; lane++) void append()
    async function append() {
      for (;;) {
        const mine = number++
        await journal.append(Buffer.from(String(mine).padEnd(1 + mine % 3000)), 1)
        writeSync(1, mine + '\\n')
      }
    }`
}

async function runUntilKilled(values: Values, first: number): Promise<number[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(values, first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(child.stdout, 'data')
  await sleep(Math.random() * 60)
  child.kill('SIGKILL')
  await once(child, 'close')
  // The last line may be cut.
  return output.split('\n').slice(0, -1).map(Number)
}

test.each<['always' | number]>([['always'], [20]])(
  'a process that is killed loses nothing that it acknowledged (sync %s)',
  async (sync) => {
    const values = valuesOf(`journal-${sync}`, sync)
    const acknowledged: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      acknowledged.push(...(await runUntilKilled(values, kill * 1_000_000)))
    }
    const journal = await openJournal({ ...values, log: createLogger({ role: 'test', level: 'silent' }) })
    const found: number[] = []
    for (const segment of journal.waiting()) {
      const { bytes, scan } = await journal.read(segment)
      expect(scan.damages).toEqual([])
      found.push(
        ...scan.records.map(({ payloadStart, end }) => Number(bytes.toString('utf8', payloadStart, end))),
      )
    }
    await journal.close()
    const unique = new Set(found)
    expect(acknowledged.length).toBeGreaterThan(KILLS)
    expect(found).toHaveLength(unique.size)
    expect(acknowledged.filter((number) => !unique.has(number))).toEqual([])
  },
  3_600_000,
)
