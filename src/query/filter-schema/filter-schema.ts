import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  GetFilterSchemaRequest,
  GetFilterSchemaResponseSchema,
  PropertyKeyMetaSchema,
} from '../../contract/gen/common/v1/filter_schema_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { type NameFacts, NO_NAME_FACTS } from '../../store/catalog/name-facts.ts'
import type { QueryRunner } from '../sql/select.ts'
import { compileEventKeys, compileKinds, compileTraitKeys, type KeyRow } from './compile-schema.ts'
import { describeKind, describeName, showKeys, showKinds } from './shown-names.ts'

/** One call of `GetFilterSchema`. */
export interface FilterSchemaCall {
  readonly request: Pick<GetFilterSchemaRequest, 'eventKind' | 'allowedTypes' | 'recentSince'>
  readonly projectId: ProjectId
  /** The names that the dictionary hides, merges or describes; absent for none. */
  readonly names?: NameFacts
  readonly run: QueryRunner
}

/** The kinds and keys of a project over all time, each list most frequent first. */
export async function describeFilterSchema({
  request,
  projectId,
  names = NO_NAME_FACTS,
  run,
}: FilterSchemaCall): Promise<MessageInitShape<typeof GetFilterSchemaResponseSchema>> {
  const { eventKind, allowedTypes, recentSince } = request
  const recentSinceMs = recentSince && Math.floor(timestampMs(recentSince))
  const eventKinds = eventKind === '' ? [] : [eventKind, ...(names.mergedKinds.get(eventKind) ?? [])]
  const [kinds, foundKeys, traitKeys, keysOfEvery] = await Promise.all([
    run(compileKinds({ projectId, recentSinceMs })),
    run(compileEventKeys({ projectId, eventKinds, allowedTypes })),
    run(compileTraitKeys({ projectId, allowedTypes })),
    // A first event may have any kind.
    eventKind === '' ? undefined : run(compileEventKeys({ projectId, eventKinds: [], allowedTypes })),
  ])
  const toEventMeta = (key: KeyRow) => ({ ...toMeta(key), ...describeName(key.name, names.properties) })
  const eventKeys = showKeys(foundKeys, names)
  const firstKeys = showKeys(keysOfEvery ?? foundKeys, names)
    .filter(isAuto)
    .map(toEventMeta)
  return {
    events: showKinds(kinds, names).map(({ name, count, recentCount, firstMs, lastMs, mergedKinds }) => ({
      name,
      count,
      recentCount,
      firstSeenAt: timestampFromMs(firstMs),
      lastSeenAt: timestampFromMs(lastMs),
      mergedKinds: [...mergedKinds],
      ...describeKind(name, names.events),
    })),
    autoPropertyKeys: eventKeys.filter(isAuto).map(toEventMeta),
    customPropertyKeys: eventKeys.filter((key) => !isAuto(key)).map(toEventMeta),
    profilePropertyKeys: traitKeys.map(toMeta),
    sessionEntryPropertyKeys: firstKeys,
    firstTouchPropertyKeys: firstKeys,
  }
}

function isAuto({ name }: Pick<KeyRow, 'name'>): boolean {
  return name.startsWith('$')
}

function toMeta({ name, count, lastMs, valueType }: KeyRow): MessageInitShape<typeof PropertyKeyMetaSchema> {
  return { name, count, lastSeenAt: timestampFromMs(lastMs), valueType }
}
