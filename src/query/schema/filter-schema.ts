import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  GetFilterSchemaRequest,
  GetFilterSchemaResponseSchema,
  PropertyKeyMetaSchema,
} from '../../contract/gen/common/v1/filter_schema_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { QueryRunner } from '../sql/select.ts'
import { compileEventKeys, compileKinds, compileTraitKeys, type KeyRow } from './compile-schema.ts'

/** One call of `GetFilterSchema`. */
export interface FilterSchemaCall {
  readonly request: Pick<GetFilterSchemaRequest, 'eventKind' | 'allowedTypes' | 'recentSince'>
  readonly projectId: ProjectId
  readonly run: QueryRunner
}

/** The kinds and keys of a project over all time, each list most frequent first. */
export async function describeFilterSchema({
  request,
  projectId,
  run,
}: FilterSchemaCall): Promise<MessageInitShape<typeof GetFilterSchemaResponseSchema>> {
  const { eventKind, allowedTypes, recentSince } = request
  const recentSinceMs = recentSince && Math.floor(timestampMs(recentSince))
  const [kinds, eventKeys, traitKeys, keysOfEvery] = await Promise.all([
    run(compileKinds({ projectId, recentSinceMs })),
    run(compileEventKeys({ projectId, eventKind, allowedTypes })),
    run(compileTraitKeys({ projectId, allowedTypes })),
    // A first event may have any kind.
    eventKind === '' ? undefined : run(compileEventKeys({ projectId, eventKind: '', allowedTypes })),
  ])
  const firstKeys = (keysOfEvery ?? eventKeys).filter(isAuto).map(toMeta)
  return {
    events: kinds.map(({ name, count, recentCount, firstMs, lastMs }) => ({
      name,
      count,
      recentCount,
      firstSeenAt: timestampFromMs(firstMs),
      lastSeenAt: timestampFromMs(lastMs),
    })),
    autoPropertyKeys: eventKeys.filter(isAuto).map(toMeta),
    customPropertyKeys: eventKeys.filter((key) => !isAuto(key)).map(toMeta),
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
