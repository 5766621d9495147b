import { parseArgs } from 'node:util'
import { SWEEPS, type SweepName } from './sweeps.ts'

/** The shape of a load, for any target. */
export interface LoadShape {
  readonly batch: number
  readonly connections: number
  readonly seconds: number
  readonly protocol: 'json' | 'binary'
  /** Events per second; 0 is as many as the service takes. */
  readonly rate: number
}

/** The options of `npm run bench -- load`. */
export type LoadCommand = { readonly shape: LoadShape; readonly outDir: string } & (
  | {
      readonly kind: 'load'
      readonly url: string
      readonly key: string
      /** Data folder of a service on this machine: its processes' CPU time can be read. */
      readonly dataDir: string | undefined
    }
  | {
      readonly kind: 'sweep'
      readonly sweep: SweepName
      readonly values: readonly string[]
      readonly rounds: number
    }
)

/** How the command is called. */
export const LOAD_USAGE = `usage: npm run bench -- load --url http://host:3000 --key pub_... [options]
       npm run bench -- load --sweep ${Object.keys(SWEEPS).join('|')} [options]
  --batch N          events of a request, 1 to 1000 (100)
  --connections N    connections, each with one request at a time (64)
  --seconds N        length of the load, of each value of a sweep (20)
  --protocol P       json or binary (json)
  --rate N           events per second; as many as are taken without it
  --data DIR         data folder of the service, to read its CPU time on this machine
  --values A,B,C     values of a sweep
  --rounds N         times that a sweep takes each value (1)
  --out DIR          where the report and the plots go (bench/results)
The events are stored: use a project for load tests.
`

/** A command line that cannot be followed; the message is one line. */
export class LoadUsageError extends Error {}

/** Reads the words after `load`. Throws {@link LoadUsageError}. */
export function parseLoadCommand(words: readonly string[]): LoadCommand {
  const values = parseWords(words)
  const shape: LoadShape = {
    batch: wholeNumber('batch', values.batch, { fallback: 100, max: 1000 }),
    connections: wholeNumber('connections', values.connections, { fallback: 64, max: 10_000 }),
    seconds: wholeNumber('seconds', values.seconds, { fallback: 20, max: 86_400 }),
    protocol: parseProtocol(values.protocol),
    rate: values.rate === undefined ? 0 : wholeNumber('rate', values.rate, { fallback: 0, max: 100_000_000 }),
  }
  const common = { shape, outDir: values.out ?? 'bench/results' }
  if (values.sweep !== undefined) {
    if (values.url !== undefined)
      throw new LoadUsageError('--sweep starts separate services: leave out --url')
    const sweep = parseSweep(values.sweep)
    const chosen = values.values?.split(',') ?? SWEEPS[sweep].values
    const rounds = wholeNumber('rounds', values.rounds, { fallback: 1, max: 100 })
    return { ...common, kind: 'sweep', sweep, values: chosen, rounds }
  }
  const { url, key } = values
  if (url === undefined || key === undefined)
    throw new LoadUsageError('--url and --key are needed, or --sweep')
  return { ...common, kind: 'load', url: parseUrl(url), key, dataDir: values.data }
}

function parseWords(words: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    url: text,
    key: text,
    batch: text,
    connections: text,
    seconds: text,
    protocol: text,
    rate: text,
    data: text,
    sweep: text,
    values: text,
    rounds: text,
    out: text,
  }
  try {
    return parseArgs({ args: [...words], options }).values
  } catch (error) {
    throw new LoadUsageError(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  if (text === undefined) return fallback
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw new LoadUsageError(`--${name} takes a number from 1 to ${max}`)
  return number
}

function parseProtocol(text: string | undefined): LoadShape['protocol'] {
  if (text === undefined || text === 'json') return 'json'
  if (text === 'binary') return 'binary'
  throw new LoadUsageError('--protocol takes json or binary')
}

function parseSweep(text: string): SweepName {
  const names = Object.keys(SWEEPS) as SweepName[]
  const name = names.find((candidate) => candidate === text)
  if (name === undefined) throw new LoadUsageError(`--sweep takes ${names.join(', ')}`)
  return name
}

function parseUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new LoadUsageError('--url takes an address such as http://host:3000')
  return url.origin
}
