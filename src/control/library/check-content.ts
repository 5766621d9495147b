import type { InsightContent } from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { parseDatePeriod } from '../../domain/date-periods.ts'
import { checkInsight } from '../../domain/insights/insight-rules.ts'
import { violationsBelow } from '../../domain/insights/invalid.ts'
import { invalidField } from '../invalid-field.ts'

/** Checks a content beyond the rules of its .proto file, so that only valid queries are stored. Throws `invalid_argument`. */
export function checkContent(content: InsightContent): void {
  checkTags(content.tags)
  checkPeriod(content.range)
  checkSpec(content.spec)
}

function checkTags(tags: readonly string[]): void {
  const seen = new Set<string>()
  for (const [index, tag] of tags.entries()) {
    const field = `content.tags[${index}]`
    if (tag.trim() !== tag) throw invalidField(field, 'must not begin or end with a space')
    if (seen.has(tag.toLowerCase())) throw invalidField(field, 'is a duplicate')
    seen.add(tag.toLowerCase())
  }
}

function checkPeriod(range: InsightContent['range']): void {
  if (range.case !== 'period' || parseDatePeriod(range.value)) return
  throw invalidField('content.period', 'must be a period, for example "last-30-days" or "this-month"')
}

function checkSpec(spec: InsightContent['spec']): void {
  if (!spec) throw invalidField('content.spec', 'is required')
  try {
    checkInsight(spec)
  } catch (error) {
    throw error instanceof ServiceError ? violationsBelow('content', error) : error
  }
}
