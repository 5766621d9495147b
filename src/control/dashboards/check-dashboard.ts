import type { DashboardTileInput } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type FieldViolation, ServiceError } from '../../contract/service-error.ts'
import { invalidFields } from '../invalid-field.ts'

/** Checks an insight query. Throws `invalid_argument` with violations below `spec`. */
export type CheckInsight = (spec: InsightQuerySpec) => void

/** Checks texts to be stored: PostgreSQL rejects NUL. Throws `invalid_argument`. */
export function checkTexts(texts: Readonly<Record<string, string>>): void {
  const violations = Object.entries(texts)
    .filter(([, text]) => text.includes('\0'))
    .map(([field]) => ({ field, description: 'must not contain a NUL character' }))
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_REQUEST')
}

/**
 * Checks the insights of tiles, so that only valid queries are stored; the query of a tile that follows a saved insight is
 * not stored. Throws `invalid_argument` with the violations of all
 * tiles.
 */
export function checkTiles(tiles: readonly DashboardTileInput[], checkInsight: CheckInsight): void {
  const violations = tiles.flatMap(({ content }, index) => {
    const isOwn = content.case === 'insight' && content.value.savedInsightId === ''
    const spec = isOwn ? content.value.spec : undefined
    return spec === undefined ? [] : violationsOf(spec, checkInsight).map(inside(`tiles[${index}].insight`))
  })
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_INSIGHT_QUERY')
}

function violationsOf(spec: InsightQuerySpec, checkInsight: CheckInsight): readonly FieldViolation[] {
  try {
    checkInsight(spec)
    return []
  } catch (error) {
    const isInvalid = error instanceof ServiceError && error.code === 'invalid_argument'
    if (!isInvalid || error.violations.length === 0) throw error
    return error.violations
  }
}

function inside(prefix: string): (violation: FieldViolation) => FieldViolation {
  return ({ field, description }) => ({ field: `${prefix}.${field}`, description })
}
