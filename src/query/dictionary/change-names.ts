import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import type { NameDefinition } from '../../contract/gen/millrace/dictionary/v1/dictionary_pb.js'
import type { DictionaryService } from '../../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { assert } from '../../kernel/assert.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { openCall } from '../calls/query-call.ts'
import { type NameKind, parseDefinition } from './definition.ts'
import { finishDefinitions, saveDefinition } from './definition-store.ts'
import { type DictionaryPorts, nameNotFound, openDictionary } from './dictionary.ts'
import { ignoreKinds, mergeKinds, splitKinds } from './merge-store.ts'
import { eventMessage, propertyMessage } from './messages.ts'

type Writes = Pick<
  ServiceImpl<typeof DictionaryService>,
  'updateEvent' | 'updateProperty' | 'mergeNames' | 'splitNames' | 'ignoreNearDuplicates'
>

/** The methods that change single names. */
export function createDefinitionWrites(ports: DictionaryPorts): Writes {
  const { catalog, clock } = ports
  const save = async (
    type: NameKind,
    { name, definition }: { readonly name: string; readonly definition?: NameDefinition | undefined },
    context: HandlerContext,
  ): Promise<void> => {
    const projectId = projectIdOf(context)
    const author = { account: accountOf(context), nowMs: clock.nowMs() }
    await inTransaction(catalog, async (transaction) => {
      const key = { projectId, type, name }
      await saveDefinition(transaction, key, { ...parseDefinition(definition), author })
      await finishDefinitions(transaction, projectId)
    })
  }
  return {
    updateEvent: async (request, context) => {
      await save('event', request, context)
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const event = await dictionary.findEvent(request.name)
      return event ? { event: eventMessage(event, dictionary.merges) } : {}
    },
    updateProperty: async (request, context) => {
      if (request.name === '') throw nameNotFound('property')
      await save('property', request, context)
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const property = await dictionary.findProperty(request.name)
      return property ? { property: propertyMessage(property) } : {}
    },
    mergeNames: async ({ into, names }, context) => {
      const projectId = projectIdOf(context)
      await inTransaction(catalog, async (transaction) => {
        await mergeKinds(transaction, { projectId, into, names }, 'into')
      })
      const dictionary = await openDictionary(ports, await openCall(ports, context))
      const event = await dictionary.findEvent(into)
      assert(event, 'a kind that others count as is in the dictionary')
      return { event: eventMessage(event, dictionary.merges) }
    },
    splitNames: async ({ names }, context) => {
      await splitKinds(catalog, projectIdOf(context), names)
      return {}
    },
    ignoreNearDuplicates: async ({ names }, context) => {
      const projectId = projectIdOf(context)
      await inTransaction(catalog, async (transaction) => await ignoreKinds(transaction, projectId, names))
      return {}
    },
  }
}
