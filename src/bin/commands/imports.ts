import type { Settings } from '../../settings/settings.ts'
import { ServiceClient } from '../../transfer/send/service-client.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { expectNoMore, interruption, readWords } from './command-words.ts'
import { findService } from './service-target.ts'

const OPTIONS = { url: { type: 'string' }, key: { type: 'string' } } as const

const SERVICE = 'millrace.web.v1.ImportsService'

/** `millrace imports list|delete`: the imports of daily numbers of the key's project. Throws {@link FatalError}. */
export async function runImports(settings: Settings, words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, OPTIONS)
  const [verb, ...rest] = positionals
  const client = new ServiceClient(findService(settings, { url: values.url, key: values.key }), {
    connectionsMax: 1,
    signal: interruption(),
  })
  try {
    if (verb === 'list') await list(client, rest)
    else if (verb === 'delete') await remove(client, rest)
    else throw new FatalError('imports needs list or delete')
  } finally {
    client.close()
  }
}

/** An import in JSON. */
interface ListedImport {
  readonly id: string
  readonly name: string
  readonly firstDay: string
  readonly lastDay: string
  readonly shownUntil: string
  readonly rows?: string
  readonly finishTime?: string
}

async function list(client: ServiceClient, words: readonly string[]): Promise<void> {
  expectNoMore(words)
  const { imports = [] } = (await ask(client, 'List', {})) as { readonly imports?: readonly ListedImport[] }
  for (const { id, name, firstDay, lastDay, shownUntil, rows = '0', finishTime } of imports) {
    const shown = finishTime === undefined ? 'unfinished' : `shown until ${shownUntil}`
    process.stdout.write(`${id}  ${firstDay} to ${lastDay}  ${shown}  ${rows} rows  ${name}\n`)
  }
}

async function remove(client: ServiceClient, [id, ...more]: readonly string[]): Promise<void> {
  expectNoMore(more)
  if (id === undefined)
    throw new FatalError('imports delete needs the id of an import; see millrace imports list')
  await ask(client, 'Delete', { id })
  process.stdout.write(`deleted import ${id}\n`)
}

async function ask(client: ServiceClient, method: string, body: object): Promise<object> {
  const answer = await client.ask(`${SERVICE}/${method}`, JSON.stringify(body))
  if ('body' in answer) return answer.body
  throw new FatalError(`${answer.rejection.message}; see millrace imports list`)
}
