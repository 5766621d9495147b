import type { ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import type { NamedDefinition } from '../../contract/gen/millrace/dictionary/v1/dictionary_pb.js'
import {
  DefinitionFormat,
  type DictionaryService,
} from '../../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { loadMerges } from '../../store/catalog/name-facts.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { isSameDefinition, NO_DEFINITION, parseDefinition, parseType, typeMessage } from './definition.ts'
import { type FileEntry, type FullEntry, parseCsv, writeCsv } from './definition-file.ts'
import { type Author, finishDefinitions, loadDefinitions, saveDefinition } from './definition-store.ts'
import type { DictionaryPorts } from './dictionary.ts'
import { mergeKinds, splitKinds } from './merge-store.ts'
import { definitionMessage } from './messages.ts'

/** The names of event kinds that events may have. */
const KIND = /^[a-zA-Z0-9_.-]{1,200}$/

type Files = Pick<ServiceImpl<typeof DictionaryService>, 'exportDefinitions' | 'importDefinitions'>

/** The methods that read and write all definitions. */
export function createDefinitionFiles({ catalog, clock }: DictionaryPorts): Files {
  return {
    exportDefinitions: async ({ format }, context) => {
      const entries = await loadEntries(catalog, projectIdOf(context))
      if (format === DefinitionFormat.CSV) return { csv: writeCsv(entries) }
      return {
        definitions: entries.map(({ type, name, definition, mergedInto }) => ({
          type: typeMessage(type),
          name,
          definition: definitionMessage(definition),
          mergedInto,
        })),
      }
    },
    importDefinitions: async (request, context) => {
      const projectId = projectIdOf(context)
      const author = { account: accountOf(context), nowMs: clock.nowMs() }
      const entries = parseFile(request)
      const changedCount = await inTransaction(
        catalog,
        async (transaction) => await applyEntries(transaction, { projectId, entries, author }),
      )
      return { nameCount: entries.length, changedCount }
    },
  }
}

/** Every name that has a definition or counts as another: event kinds first, then properties, each ascending. */
async function loadEntries(catalog: Catalog, projectId: ProjectId): Promise<readonly FullEntry[]> {
  const events = await loadDefinitions(catalog, { projectId, type: 'event' })
  const properties = await loadDefinitions(catalog, { projectId, type: 'property' })
  const intoOf = new Map((await loadMerges(catalog, projectId)).map((merge) => [merge.name, merge.into_name]))
  const kinds = [...new Set([...events.keys(), ...intoOf.keys()])].sort()
  return [
    ...kinds.map((name) => ({
      type: 'event' as const,
      name,
      definition: events.get(name) ?? NO_DEFINITION,
      mergedInto: intoOf.get(name) ?? '',
    })),
    ...[...properties].map(([name, definition]) => ({
      type: 'property' as const,
      name,
      definition,
      mergedInto: '',
    })),
  ]
}

interface SentFile {
  readonly definitions: readonly NamedDefinition[]
  readonly csv: string
}

function parseFile({ definitions, csv }: SentFile): readonly FileEntry[] {
  if (csv !== '' && definitions.length > 0)
    throw invalid('csv', 'cannot be combined with definitions', 'INVALID_REQUEST')
  const field = csv === '' ? 'definitions' : 'csv'
  const entries = csv === '' ? definitions.map(parseEntry) : parseCsv(csv)
  const seen = new Set<string>()
  for (const { type, name, mergedInto = '' } of entries) {
    const key = `${type} ${name}`
    if (seen.has(key)) throw invalid(field, `has the ${key} twice`, 'INVALID_REQUEST')
    seen.add(key)
    if (type === 'event' && !KIND.test(name))
      throw invalid(field, `${JSON.stringify(name)} is not a possible event kind`, 'INVALID_REQUEST')
    if (mergedInto === '') continue
    if (type === 'property')
      throw invalid(field, `the property ${JSON.stringify(name)} cannot be merged`, 'INVALID_REQUEST')
    if (!KIND.test(mergedInto) || mergedInto === name)
      throw invalid(field, `${name} cannot count as ${JSON.stringify(mergedInto)}`, 'INVALID_REQUEST')
  }
  return entries
}

function parseEntry({ type, name, definition, mergedInto }: NamedDefinition, index: number): FullEntry {
  const parsed = parseType(type)
  if (!parsed) throw invalid(`definitions[${index}].type`, 'is required', 'INVALID_REQUEST')
  return { type: parsed, name, definition: parseDefinition(definition), mergedInto }
}

interface Import {
  readonly projectId: ProjectId
  readonly entries: readonly FileEntry[]
  readonly author: Author
}

/** Returns the number of changed names. */
async function applyEntries(transaction: Catalog, { projectId, entries, author }: Import): Promise<number> {
  const known = {
    event: await loadDefinitions(transaction, { projectId, type: 'event' }),
    property: await loadDefinitions(transaction, { projectId, type: 'property' }),
  }
  const before = new Map(
    (await loadMerges(transaction, projectId)).map((merge) => [merge.name, merge.into_name]),
  )
  const changed = new Set<string>()
  for (const { type, name, definition } of entries) {
    const old = known[type].get(name) ?? NO_DEFINITION
    const next = { ...old, ...definition }
    if (isSameDefinition(old, next)) continue
    changed.add(`${type} ${name}`)
    await saveDefinition(transaction, { projectId, type, name }, { ...next, author })
  }
  const moved = entries.filter(
    ({ type, name, mergedInto }) =>
      type === 'event' && mergedInto !== undefined && mergedInto !== (before.get(name) ?? ''),
  )
  if (moved.length > 0)
    await splitKinds(
      transaction,
      projectId,
      moved.map(({ name }) => name),
    )
  for (const { name, mergedInto = '' } of moved) {
    changed.add(`event ${name}`)
    const field = `merged_into of ${name}`
    if (mergedInto !== '')
      await mergeKinds(transaction, { projectId, into: mergedInto, names: [name] }, field)
  }
  await finishDefinitions(transaction, projectId)
  return changed.size
}
