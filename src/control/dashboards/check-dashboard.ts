import type { DashboardTileInput } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type FieldViolation, ServiceError } from '../../contract/service-error.ts'
import { invalidFields } from '../invalid-field.ts'

/** Checks that an insight can be asked. Throws `invalid_argument` that names fields below `spec`. */
export type CheckInsight = (spec: InsightQuerySpec) => void

/** Checks texts that become columns. Throws `invalid_argument`. */
export function checkTexts(texts: Readonly<Record<string, string>>): void {
  const violations = Object.entries(texts)
    .filter(([, text]) => text.includes('\0'))
    .map(([field]) => ({ field, description: 'must not contain a NUL character' }))
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_REQUEST')
}

/**
 * Checks the insights of tiles, so that none is stored that could never be answered. Throws `invalid_argument` that names
 * what is wrong in each tile.
 */
export function checkTiles(tiles: readonly DashboardTileInput[], checkInsight: CheckInsight): void {
  const violations = tiles.flatMap(({ content }, index) => {
    const spec = content.case === 'insight' ? content.value.spec : undefined
    return spec === undefined ? [] : violationsOf(spec, checkInsight).map(inside(`tiles[${index}].insight`))
  })
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_INSIGHT_QUERY')
}

function violationsOf(spec: InsightQuerySpec, checkInsight: CheckInsight): readonly FieldViolation[] {
  try {
    checkInsight(spec)
    return []
  } catch (error) {
    const isAnswer = error instanceof ServiceError && error.code === 'invalid_argument'
    if (!isAnswer || error.violations.length === 0) throw error
    return error.violations
  }
}

function inside(prefix: string): (violation: FieldViolation) => FieldViolation {
  return ({ field, description }) => ({ field: `${prefix}.${field}`, description })
}
