import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  DictionaryEventSchema,
  DictionaryPropertySchema,
  NameDefinitionSchema,
} from '../../contract/gen/millrace/dictionary/v1/dictionary_pb.js'
import type { NameSelection } from '../../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../contract/property-types.ts'
import { WELL_KNOWN_EVENTS } from '../../contract/well-known-events/catalogue.ts'
import type { Merge } from '../../store/catalog/name-facts.ts'
import { type Definition, parseState, stateMessage } from './definition.ts'
import type { ListedName, NameConditions } from './name-list.ts'

const WELL_KNOWN: ReadonlySet<string> = new Set(WELL_KNOWN_EVENTS.map(({ kind }) => kind))

/** The conditions of a request; absent ones select every name. */
export function parseSelection(sent: NameSelection | undefined): NameConditions {
  const { search = '', states = [], newSince, tag = '' } = sent ?? {}
  return {
    search,
    states: states.flatMap((state) => parseState(state) ?? []),
    newSinceMs: newSince && timestampMs(newSince),
    tag,
  }
}

/** An event kind as a message. */
export function eventMessage(
  listed: ListedName,
  merges: readonly Merge[],
): MessageInitShape<typeof DictionaryEventSchema> {
  const { name, recentCount } = listed
  return {
    name,
    ...factsOf(listed),
    recentCount,
    mergedNames: merges.filter(({ into_name }) => into_name === name).map((merge) => merge.name),
    mergedInto: merges.find((merge) => merge.name === name)?.into_name ?? '',
    wellKnown: WELL_KNOWN.has(name),
  }
}

/** A property as a message. */
export function propertyMessage(listed: ListedName): MessageInitShape<typeof DictionaryPropertySchema> {
  const { name, seen, recentCount } = listed
  const types = PROPERTY_TYPE_NAMES.filter((_, index) => ((seen?.types ?? 0) & (1 << index)) !== 0)
  return {
    name,
    ...factsOf(listed),
    recentCount,
    valueTypes: types.map((type) => PROPERTY_TYPES[type].valueType),
    kindCount: seen?.kindCount ?? 0,
  }
}

/** A definition as a message. */
export function definitionMessage({
  displayName,
  description,
  owner,
  tags,
  state,
}: Definition): MessageInitShape<typeof NameDefinitionSchema> {
  return { displayName, description, owner, tags: [...tags], state: stateMessage(state) }
}

function factsOf({ definition, seen }: ListedName) {
  const { updatedBy, updatedMs } = definition
  return {
    definition: definitionMessage(definition),
    ...(seen
      ? { firstSeenTime: timestampFromMs(seen.firstMs), lastSeenTime: timestampFromMs(seen.lastMs) }
      : {}),
    ...(updatedMs === 0 ? {} : { updateTime: timestampFromMs(updatedMs), updatedBy }),
  }
}
