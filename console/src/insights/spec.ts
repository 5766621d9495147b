import { fromJson, type JsonObject, toJson } from '@bufbuild/protobuf'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { decodeCohortFilters, encodeCohortFilters } from '../cohorts/encode-filters.ts'
import { t } from '../i18n/translate.ts'
import { labelOfProperty } from '../picker/names.ts'
import { type BreakdownDraft, type Draft, NO_BREAKDOWN } from './model/draft.ts'
import { decodeGroups, encodeGroups } from './model/filters.ts'
import type { Json } from './model/json.ts'
import type { Views } from './model/views.ts'
import { INSIGHT_TYPES, typeOfSpec } from './types/insight-types.ts'

/** The spec of a draft in proto JSON, without incomplete filters. */
export function encodeDraft(draft: Draft): JsonObject {
  return {
    insightType: draft.type,
    ...INSIGHT_TYPES[draft.type].encode(draft),
    ...encodeGroups(draft.groups, draft.groupsOperator),
    ...(draft.includeCookieless && { includeCookieless: true }),
    ...(draft.excludeBots && { excludeBots: true }),
    ...(draft.cohorts && draft.cohorts.length > 0 && { cohorts: encodeCohortFilters(draft.cohorts) }),
  }
}

/** The draft of a spec. */
export function decodeSpec(spec: InsightQuerySpec): Draft {
  const json = toJson(InsightQuerySpecSchema, spec) as Json
  const cohorts = decodeCohortFilters(json.cohorts)
  return {
    ...INSIGHT_TYPES[typeOfSpec(spec)].decode(json),
    ...decodeGroups(json),
    includeCookieless: json.includeCookieless === true,
    excludeBots: json.excludeBots === true,
    ...(cohorts.length > 0 && { cohorts }),
  } as Draft
}

/**
 * Parses a spec in proto JSON; one without a type is trends. Throws for any other text, also for one with a field that this
 * console does not have: without a part of the query, the answer is that of another one.
 */
export function parseSpec(text: string): InsightQuerySpec {
  const spec = fromJson(InsightQuerySpecSchema, JSON.parse(text))
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

/** The breakdown of a draft; none for types without one. */
function breakdownOf(draft: Draft): BreakdownDraft {
  return 'breakdown' in draft ? draft.breakdown : NO_BREAKDOWN
}

/** The title of a query in one line. */
export function titleOf(draft: Draft): string {
  const { name, describe } = INSIGHT_TYPES[draft.type]
  const subject = describe(draft)
  const title = subject === '' ? t(name) : t('insights.title', { type: t(name), subject })
  const { properties, cohortIds = [] } = breakdownOf(draft)
  const names = cohortIds.length > 0 ? [t('cohorts.usedByCohort')] : properties.map(labelOfProperty)
  return names.length === 0 ? title : t('insights.titleBy', { title, names: names.join(', ') })
}
