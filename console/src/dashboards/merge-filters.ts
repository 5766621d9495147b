import { clone, create } from '@bufbuild/protobuf'
import { LogicalOperator, type PropertyFilter } from '@contract/common/v1/filter_pb.js'
import { type FilterGroup, FilterGroupSchema } from '@contract/shared/insights/v1/event_query_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'

function groupOf(filters: readonly PropertyFilter[]): FilterGroup {
  return create(FilterGroupSchema, { filters: [...filters], operator: LogicalOperator.AND })
}

/** The groups whose disjunction a group with further conditions is. */
function narrow({ filters, operator }: FilterGroup, added: readonly PropertyFilter[]): FilterGroup[] {
  if (operator !== LogicalOperator.OR) return [groupOf([...filters, ...added])]
  return filters.map((filter) => groupOf([filter, ...added]))
}

/**
 * A spec with further conditions that all of its events meet. Where its own groups are alternatives, each of them gets the
 * conditions: (a or b) and c is (a and c) or (b and c).
 */
export function addFilters(spec: InsightQuerySpec, added: readonly PropertyFilter[]): InsightQuerySpec {
  if (added.length === 0) return spec
  const { filterGroups: groups, filterGroupsOperator: operator } = spec
  const isAlternative = operator === LogicalOperator.OR && groups.length > 0
  const narrowed = clone(InsightQuerySpecSchema, spec)
  narrowed.filterGroups = isAlternative
    ? groups.flatMap((group) => narrow(group, added))
    : [...groups, groupOf(added)]
  return narrowed
}
