import type { AlertContent } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { checkAlert } from '../../domain/alerts/alert-question.ts'
import { cohortIdsOfSpec } from '../../domain/insights/cohort-filters.ts'
import { checkTimeZoneName } from '../../domain/time-zone-name.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Channels } from '../channels/channels.ts'
import { invalidField } from '../invalid-field.ts'
import { loadSpecs } from '../library/insight-uses.ts'
import { requireCohorts } from '../library/require-cohorts.ts'
import { savedInsightNotFound } from '../library/saved-insight.ts'

/** The query of an alert: its own, or the current one of its saved insight. Throws `not_found`. */
export async function loadSpec(
  catalog: Catalog,
  projectId: ProjectId,
  { question }: Pick<AlertContent, 'question'>,
): Promise<InsightQuerySpec> {
  if (question.case === 'spec') return question.value
  const id = question.value ?? ''
  const spec = (await loadSpecs(catalog, projectId, [id])).get(id)
  if (!spec) throw savedInsightNotFound()
  return spec
}

/** Looks up what the content of an alert names. */
export interface ContentPorts {
  readonly channels: Channels
}

/** Checks a content beyond the rules of its .proto file, and returns its query. Throws `invalid_argument` or `not_found`. */
export async function checkContent(
  transaction: Catalog,
  projectId: ProjectId,
  { content, ports }: { readonly content: AlertContent; readonly ports: ContentPorts },
): Promise<InsightQuerySpec> {
  if (content.name.trim() === '') throw invalidField('content.name', 'must not be blank')
  const zone = content.quietHours?.timeZone ?? ''
  if (zone !== '') checkTimeZoneName(zone, 'content.quietHours.timeZone')
  const spec = await loadSpec(transaction, projectId, content)
  checkAlert(content, spec)
  await requireCohorts(
    transaction,
    projectId,
    cohortIdsOfSpec(spec).map((cohortId) => ({ cohortId })),
  )
  for (const id of content.channelIds) await ports.channels.read({ projectId, id }, transaction)
  return spec
}
