import { fromJson, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import {
  type Draft,
  type FilterDraft,
  type GroupDraft,
  hasBreakdowns,
  hasEvents,
  hasSessions,
  isFinished,
  isNumeric,
  newDraft,
  newSeries,
  OPERATORS,
  type Operator,
  type SeriesDraft,
} from './draft.ts'

type Json = Readonly<Record<string, JsonValue | undefined>>
type LimitName = 'maxHops' | 'maxNodes' | 'maxLinks' | 'limit'

/** The spec of a draft in proto JSON: only what its type of insight has, without conditions that are not finished yet. */
export function encodeDraft(draft: Draft): JsonObject {
  const { type, breakdowns, breakdownLimit, groups } = draft
  const names = hasBreakdowns(type) ? breakdowns.filter((name) => name !== '') : []
  const filterGroups = groups.filter(isAsked)
  return {
    insightType: type,
    ...(hasEvents(draft) && { events: encodeEvents(draft) }),
    ...(hasSessions(type) &&
      draft.measure === 'sessions' && {
        session: { metric: draft.sessionMetric, scope: encodeScope(draft.scope) },
      }),
    ...(names.length > 0 && { breakdowns: names.map((property) => ({ property })) }),
    ...(names.length > 0 && breakdownLimit > 0 && { breakdownLimit }),
    ...(filterGroups.length > 0 && {
      filterGroups: filterGroups.map(({ operator, filters }) => ({
        operator,
        filters: encodeFilters(filters),
      })),
      filterGroupsOperator: draft.groupsOperator,
    }),
    ...encodeOwn(draft),
    ...(draft.includeCookieless && { includeCookieless: true }),
  }
}

/** True for a group of which a condition is finished. */
export function isAsked({ filters }: GroupDraft): boolean {
  return filters.some(isFinished)
}

/** What only one type of insight has. */
function encodeOwn(draft: Draft): JsonObject {
  const { type, scope, flowProperty, dimension } = draft
  if (type === 'INSIGHT_TYPE_FUNNEL') {
    return {
      ...(draft.conversionWindowSeconds > 0 && { conversionWindow: `${draft.conversionWindowSeconds}s` }),
      ...(draft.includeStepTiming && { includeStepTiming: true }),
    }
  }
  if (type === 'INSIGHT_TYPE_USER_FLOW') {
    const { maxHops, maxNodes, maxLinks } = draft
    const node =
      flowProperty === ''
        ? { nodeKind: 'NODE_KIND_EVENT_KIND' }
        : { nodeKind: 'NODE_KIND_PROPERTY', nodeProperty: flowProperty }
    return {
      userFlow: { ...node, scope: encodeScope(scope), ...withoutZeros({ maxHops, maxNodes, maxLinks }) },
    }
  }
  const metric = {
    scope: encodeScope(scope),
    metric: scope.aggregation,
    ...(isNumeric(scope.aggregation) && { metricProperty: scope.property }),
  }
  if (type === 'INSIGHT_TYPE_MAP') return { map: metric }
  if (type !== 'INSIGHT_TYPE_TOP_K') return {}
  const property = dimension === 'DIMENSION_PROPERTY' ? { property: draft.dimensionProperty } : {}
  const { omitOthers } = draft
  return { topK: { ...metric, dimension, ...property, ...withoutZeros({ limit: draft.limit }), omitOthers } }
}

/** Limits that are 0 are left to the service. */
function withoutZeros(limits: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== 0))
}

function encodeEvents({ type, events }: Draft): JsonObject[] {
  const isPlain = type === 'INSIGHT_TYPE_FUNNEL' || type === 'INSIGHT_TYPE_RETENTION'
  return events.map((series) => ({
    event: encodeScope(series),
    ...(!isPlain && { aggregation: series.aggregation }),
    ...(!isPlain && isNumeric(series.aggregation) && { aggregationProperty: series.property }),
  }))
}

function encodeScope({ kind, filters }: SeriesDraft): JsonObject {
  return { kind, filters: encodeFilters(filters) }
}

function encodeFilters(filters: readonly FilterDraft[]): JsonObject[] {
  return filters.filter(isFinished).map(encodeFilter)
}

/** A filter in proto JSON. */
export function encodeFilter({ property, operator, value, source }: FilterDraft): JsonObject {
  const { takes } = OPERATORS[operator]
  return {
    property,
    operator,
    source,
    ...(takes === 'one' && { value }),
    ...(takes === 'many' && { values: value.split('\n').filter((line) => line !== '') }),
  }
}

/** A spec as a text has it: of trends, where it has no type. Throws when the text is none. */
export function parseSpec(text: string): InsightQuerySpec {
  const spec = fromJson(InsightQuerySpecSchema, JSON.parse(text), { ignoreUnknownFields: true })
  spec.insightType ||= InsightType.TRENDS
  return spec
}

/** A spec as a text. */
export function writeSpec(spec: InsightQuerySpec): string {
  return JSON.stringify(toJson(InsightQuerySpecSchema, spec))
}

/** A draft of a spec: what the spec leaves out means what it means to the service. */
export function draftOf(spec: InsightQuerySpec): Draft {
  const json = toJson(InsightQuerySpecSchema, spec) as Json
  const [session, flow] = [record(json.session), record(json.userFlow)]
  const top = record(json.topK ?? json.map)
  const scope = record(session.scope ?? flow.scope ?? top.scope)
  const fresh = newDraft()
  // What a question leaves out is 0; what only another type has is as in a new draft.
  const limitOf = (owner: 'userFlow' | 'topK', name: LimitName): number =>
    json[owner] === undefined ? fresh[name] : Number(record(json[owner])[name] ?? 0)
  const events = list(json.events)
  return {
    ...fresh,
    type: (json.insightType as Draft['type'] | undefined) ?? fresh.type,
    measure: json.session === undefined ? 'events' : 'sessions',
    events: events.length > 0 ? events.map(decodeSeries) : fresh.events,
    sessionMetric: (session.metric as Draft['sessionMetric'] | undefined) ?? fresh.sessionMetric,
    scope: decodeSeries({
      event: scope as JsonObject,
      aggregation: top.metric,
      aggregationProperty: top.metricProperty,
    }),
    breakdowns: list(json.breakdowns).map(({ property }) => String(property)),
    breakdownLimit: Number(json.breakdownLimit ?? 0),
    groups: list(json.filterGroups).map(({ operator, filters }) => ({
      operator: operator === 'LOGICAL_OPERATOR_OR' ? operator : 'LOGICAL_OPERATOR_AND',
      filters: list(filters).map(decodeFilter),
    })),
    groupsOperator:
      json.filterGroupsOperator === 'LOGICAL_OPERATOR_OR' ? 'LOGICAL_OPERATOR_OR' : 'LOGICAL_OPERATOR_AND',
    conversionWindowSeconds: Number.parseInt(String(json.conversionWindow ?? '0'), 10),
    includeStepTiming: json.includeStepTiming === true,
    flowProperty: String(flow.nodeProperty ?? ''),
    maxHops: limitOf('userFlow', 'maxHops'),
    maxNodes: limitOf('userFlow', 'maxNodes'),
    maxLinks: limitOf('userFlow', 'maxLinks'),
    dimension: (top.dimension as Draft['dimension'] | undefined) ?? fresh.dimension,
    dimensionProperty: String(top.property ?? ''),
    limit: limitOf('topK', 'limit'),
    omitOthers: top.omitOthers === true,
    includeCookieless: json.includeCookieless === true,
  }
}

function decodeSeries({ event, aggregation, aggregationProperty }: Json): SeriesDraft {
  const { kind, filters } = record(event)
  return {
    ...newSeries(String(kind ?? '')),
    filters: list(filters).map(decodeFilter),
    ...(aggregation !== undefined && { aggregation: aggregation as SeriesDraft['aggregation'] }),
    property: String(aggregationProperty ?? ''),
  }
}

function decodeFilter({ property, operator, value, values, source }: Json): FilterDraft {
  const name = String(property ?? '')
  const guessed = name.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return {
    property: name,
    operator: (operator as Operator | undefined) ?? 'FILTER_OPERATOR_EQUALS',
    value: Array.isArray(values) ? values.join('\n') : String(value ?? ''),
    source: (source as FilterDraft['source'] | undefined) ?? guessed,
  }
}

function record(value: JsonValue | undefined): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function list(value: JsonValue | undefined): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : []
}
