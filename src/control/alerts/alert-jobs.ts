import type { AlertCadence } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { cadenceRules } from '../../domain/alerts/alert-units.ts'
import { readSchedule, type Schedule } from '../../domain/schedule.ts'
import { addRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { deleteRecurringJob } from '../../store/catalog/recurring-store.ts'

/** The kind of recurring job that checks the alerts of one project and cadence. */
export const CHECK_ALERTS = 'check-alerts'

/** The payload of {@link CHECK_ALERTS}. */
export type CheckPayload = { readonly cadence: number }

/** Events are counted within a minute of their arrival, and clients send some late. */
const FIRST_MINUTE = 3

/** Projects are checked in different minutes. */
const MINUTES = 10

/** When the alerts of a project and cadence are checked, in the project's time zone. */
function alertSchedule(projectId: ProjectId, cadence: AlertCadence): Schedule {
  const { unit } = cadenceRules(cadence)
  return { every: unit, minute: FIRST_MINUTE + (projectId % MINUTES), hour: 0, day: 1 }
}

/** When the alerts of a project and cadence are checked next. */
export function nextCheckMs(
  { projectId, cadence }: { readonly projectId: ProjectId; readonly cadence: AlertCadence },
  now: { readonly nowMs: number; readonly timeZone: string },
): number {
  return readSchedule(alertSchedule(projectId, cadence), now).nextDueMs
}

function jobId(projectId: ProjectId, cadence: AlertCadence): string {
  return `${CHECK_ALERTS}/${projectId}/${cadenceRules(cadence).unit}`
}

/** Adds the recurring job of a cadence where alerts need it; call it in the transaction that stores the alert. */
export async function addCheckJob(
  transaction: Catalog,
  clock: Clock,
  { projectId, cadence }: { readonly projectId: ProjectId; readonly cadence: AlertCadence },
): Promise<void> {
  const payload: CheckPayload = { cadence }
  await addRecurringJob(transaction, clock, {
    id: jobId(projectId, cadence),
    kind: CHECK_ALERTS,
    projectId,
    payload,
    schedule: alertSchedule(projectId, cadence),
  })
}

/** Removes the recurring job of a cadence without alerts; call it in the transaction that removes the last one. */
export async function removeIdleJob(
  transaction: Catalog,
  { projectId, cadence }: { readonly projectId: ProjectId; readonly cadence: AlertCadence },
): Promise<void> {
  const left = await transaction
    .selectFrom('alerts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('cadence', '=', cadence)
    .limit(1)
    .executeTakeFirst()
  if (!left) await deleteRecurringJob(transaction, jobId(projectId, cadence))
}
