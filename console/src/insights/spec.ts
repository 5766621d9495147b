import { fromJson, type JsonObject, toJson } from '@bufbuild/protobuf'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type Draft, newDraft } from './model/draft.ts'
import { decodeGroups, encodeGroups } from './model/filters.ts'
import type { Json } from './model/json.ts'
import { namedBreakdowns } from './model/series.ts'
import type { Views } from './model/views.ts'
import { INSIGHT_TYPES, typeOfSpec } from './types/insight-types.ts'

/** The spec of a draft in proto JSON: only the fields of its type, without incomplete filters. */
export function encodeDraft(draft: Draft): JsonObject {
  const { type, groups, groupsOperator, includeCookieless, excludeBots } = draft
  return {
    insightType: type,
    ...INSIGHT_TYPES[type].encode(draft),
    ...encodeGroups(groups, groupsOperator),
    ...(includeCookieless && { includeCookieless: true }),
    ...(excludeBots && { excludeBots: true }),
  }
}

/** The draft of a spec; fields of other types are those of a new draft. */
export function decodeSpec(spec: InsightQuerySpec): Draft {
  const json = toJson(InsightQuerySpecSchema, spec) as Json
  const type = typeOfSpec(spec)
  return {
    ...newDraft(),
    type,
    ...INSIGHT_TYPES[type].decode(json),
    ...decodeGroups(json),
    includeCookieless: json.includeCookieless === true,
    excludeBots: json.excludeBots === true,
  }
}

/** Parses a spec in proto JSON; one without a type is trends. Throws for any other text. */
export function parseSpec(text: string): InsightQuerySpec {
  const spec = fromJson(InsightQuerySpecSchema, JSON.parse(text), { ignoreUnknownFields: true })
  spec.insightType ||= TypeNumber.TRENDS
  return spec
}

/** The proto JSON of a spec. */
export function writeSpec(spec: InsightQuerySpec): string {
  return JSON.stringify(toJson(InsightQuerySpecSchema, spec))
}

/** The views of the answer to a draft. */
export function viewsOf(draft: Draft): Views {
  return INSIGHT_TYPES[draft.type].views(draft)
}

/** The title of a query in one line. */
export function titleOf(draft: Draft): string {
  const { label, describe, fields } = INSIGHT_TYPES[draft.type]
  const subject = describe ? `: ${describe(draft)}` : ''
  const names = fields.some(({ kind }) => kind === 'breakdowns') ? namedBreakdowns(draft) : []
  return `${label}${subject}${names.length > 0 ? ` by ${names.join(', ')}` : ''}`
}
