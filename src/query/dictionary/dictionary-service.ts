import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type { DictionaryService } from '../../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { openCall } from '../calls/query-call.ts'
import { createDefinitionWrites } from './change-names.ts'
import { type DictionaryPorts, nameNotFound, openDictionary } from './dictionary.ts'
import { eventMessage, parseSelection, propertyMessage } from './messages.ts'
import { isTruncated, pageOf, selectNames } from './name-list.ts'
import { findNearDuplicates } from './near-duplicates.ts'
import { readSamples } from './samples.ts'
import { createDefinitionFiles } from './transfer-definitions.ts'

const PAGE_SIZE = 100
const CARRIED_MAX = 1000

/** `millrace.dictionary.v1.DictionaryService`: the names of a project, and what people know about them. */
export function createDictionaryService(ports: DictionaryPorts): ServiceImpl<typeof DictionaryService> {
  return { ...createReads(ports), ...createDefinitionWrites(ports), ...createDefinitionFiles(ports) }
}

type Reads = Pick<
  ServiceImpl<typeof DictionaryService>,
  'listEvents' | 'getEvent' | 'listProperties' | 'getProperty' | 'listNearDuplicates'
>

function createReads(ports: DictionaryPorts): Reads {
  return {
    listEvents: async ({ selection, pageSize, pageToken }, context) => {
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const all = await dictionary.listEvents()
      const names = selectNames(all, parseSelection(selection))
      const { page, nextPageToken } = pageOf(names, { pageSize: pageSize || PAGE_SIZE, pageToken })
      const events = page.map((name) => eventMessage(name, dictionary.merges))
      return { events, nextPageToken, totalCount: names.length, truncated: isTruncated(all) }
    },
    getEvent: async ({ name }, context) => {
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const event = await dictionary.findEvent(name)
      if (!event) throw nameNotFound('event kind')
      const properties = await dictionary.listProperties({ kinds: [name] })
      const carried = properties.filter(({ seen }) => seen).slice(0, CARRIED_MAX)
      return { event: eventMessage(event, dictionary.merges), properties: carried.map(propertyMessage) }
    },
    listProperties: async ({ selection, pageSize, pageToken }, context) => {
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const all = await dictionary.listProperties()
      const names = selectNames(all, parseSelection(selection))
      const { page, nextPageToken } = pageOf(names, { pageSize: pageSize || PAGE_SIZE, pageToken })
      const properties = page.map(propertyMessage)
      return { properties, nextPageToken, totalCount: names.length, truncated: isTruncated(all) }
    },
    getProperty: async ({ name }, context) => {
      const call = await openCall(ports, context)
      const dictionary = await openDictionary(ports, call)
      const property = await dictionary.findProperty(name)
      if (!property) throw nameNotFound('property')
      const events = await dictionary.listEvents({ property: name })
      const carriers = events.filter(({ seen }) => seen).slice(0, CARRIED_MAX)
      return {
        property: propertyMessage(property),
        events: carriers.map((event) => eventMessage(event, dictionary.merges)),
        samples: await readSamples({ ...call, name, carriers }),
      }
    },
    listNearDuplicates: async (_, context) => {
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const { merges } = dictionary
      const merged = new Set(merges.map(({ name }) => name))
      const ignored = await dictionary.loadIgnored(projectIdOf(context))
      const groups = findNearDuplicates(await dictionary.listEvents(), { merged, ignored })
      return { groups: groups.map((group) => ({ events: group.map((name) => eventMessage(name, merges)) })) }
    },
  }
}
