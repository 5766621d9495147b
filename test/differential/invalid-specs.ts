import type { JsonObject } from '@bufbuild/protobuf'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { InsightTypeEntry } from './insight-type.ts'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'
import { cohortRules } from './invalid-parts.ts'

/** A spec that breaks one rule. */
export interface InvalidSpec {
  readonly name: string
  readonly spec: JsonObject
}

type TypeName = Exclude<keyof typeof InsightType, 'UNSPECIFIED'>

/** The names of the insight types. */
export const TYPES = Object.keys(INSIGHT_TYPE_ENTRIES).map((key) => InsightType[Number(key)] as TypeName)

/** The least valid spec of a type, with some fields more. */
export function specOf(type: TypeName, fields: JsonObject = {}): JsonObject {
  return { insightType: `INSIGHT_TYPE_${type}`, ...entryOf(type).smallest, ...fields }
}

/** Every rule of a spec but those of filters, with a spec that breaks it and no other. */
export function invalidSpecs(): readonly InvalidSpec[] {
  return [
    { name: 'a spec needs a type', spec: {} },
    { name: 'a spec needs a known type', spec: { insightType: 99 } },
    ...foreignFields(),
    ...TYPES.flatMap((type) =>
      [...entryOf(type).broken, ...cohortRules(type)].map(({ name, fields }) => ({
        name,
        spec: specOf(type, fields),
      })),
    ),
  ]
}

/** A field of other types is rejected. */
function foreignFields(): readonly InvalidSpec[] {
  const values: JsonObject = Object.assign({}, ...TYPES.map((type) => entryOf(type).fields))
  return Object.entries(values).flatMap(([field, value]) =>
    TYPES.filter((type) => !Object.hasOwn(entryOf(type).fields, field)).map((type) => ({
      name: `${type} has no ${field}`,
      spec: specOf(type, { [field]: value }),
    })),
  )
}

function entryOf(type: TypeName): InsightTypeEntry {
  return INSIGHT_TYPE_ENTRIES[InsightType[type]]
}
