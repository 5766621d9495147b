import { asProjectId, type CustomerId, isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { opensProject } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { GuestKey } from '../../store/catalog/dashboard-guests.ts'
import { listColleagues, type ProjectColleague } from '../../store/catalog/project-roles.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type Dashboard, type DashboardKey, dashboardNotFound } from './dashboard.ts'
import { parseDashboardId, readDashboard } from './dashboard-store.ts'

/** A guest of a project. */
export interface Guest extends Pick<ProjectColleague, 'customerId' | 'displayName' | 'email'> {
  /** Whether the dashboard is shared with them. */
  readonly isShared: boolean
}

/** A dashboard, and the member of its project who shares it. */
export interface Sharer extends DashboardKey {
  readonly callerId: CustomerId
}

/** Bounds the rows of a dashboard. */
const GUESTS_PER_DASHBOARD_MAX = 500

/** Bounds the list of guests, which has no pages: those who joined first. */
const GUESTS_LISTED_MAX = 1000

/**
 * The guests of the project of a dashboard. To a guest of the organisation, who does not see its members, only those with whom a
 * dashboard of the project is shared. Throws `not_found`.
 */
export async function listGuests(catalog: Catalog, sharer: Sharer): Promise<Guest[]> {
  const { isVisible, isShared } = await readSharing(catalog, sharer)
  const page = { access: 'none', count: GUESTS_LISTED_MAX } as const
  return (await listColleagues(catalog, sharer.projectId, page))
    .filter(isVisible)
    .map((colleague) => toGuest(colleague, isShared(colleague)))
}

type IsTrueOf = (colleague: Pick<ProjectColleague, 'customerId'>) => boolean

/** Which guests a sharer sees, and those with whom the dashboard is shared. Throws `not_found`. */
async function readSharing(
  catalog: Catalog,
  sharer: Sharer,
): Promise<{ readonly isVisible: IsTrueOf; readonly isShared: IsTrueOf }> {
  await readDashboard({ catalog }, sharer)
  const shares = await readShares(catalog, sharer.projectId)
  const [caller] = await listColleagues(catalog, sharer.projectId, { accounts: [sharer.callerId] })
  const known = new Set(shares.map(({ customer_id }) => customer_id))
  const ofDashboard = shares.filter(({ dashboard_id }) => dashboard_id === sharer.id)
  const shared = new Set(ofDashboard.map(({ customer_id }) => customer_id))
  return {
    isVisible: ({ customerId }) => caller?.inOrganisation !== 'guest' || known.has(customerId),
    isShared: ({ customerId }) => shared.has(customerId),
  }
}

function toGuest({ customerId, displayName, email }: ProjectColleague, isShared: boolean): Guest {
  return { customerId, displayName, email, isShared }
}

async function readShares(catalog: Catalog, projectId: ProjectId) {
  return await catalog
    .selectFrom('dashboard_guests')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_guests.dashboard_id')
    .select(['dashboard_guests.dashboard_id', 'dashboard_guests.customer_id'])
    .where('dashboards.project_id', '=', projectId)
    .execute()
}

/** Shares a dashboard with a guest. Throws `not_found`, and `failed_precondition` for a member who sees the project, and at the limit. */
export async function addGuest(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { guestId, ...sharer }: Sharer & { readonly guestId: CustomerId },
): Promise<Guest> {
  return await inTransaction(catalog, async (transaction) => {
    const guest = await findGuest(transaction, { ...sharer, guestId })
    if (guest.isShared) return guest
    const { organisation_id } = await transaction
      .selectFrom('projects')
      .select('organisation_id')
      .where('id', '=', sharer.projectId)
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('dashboard_guests')
      .values({
        ...{ dashboard_id: sharer.id, organisation_id, customer_id: guestId },
        created_ms: clock.nowMs(),
      })
      .execute()
    await requireWithinLimit(transaction, sharer.id)
    return { ...guest, isShared: true }
  })
}

/** Ends the share of a dashboard with a guest. Throws `not_found` for an unknown dashboard. */
export async function removeGuest(
  catalog: Catalog,
  { guestId, ...key }: DashboardKey & { readonly guestId: CustomerId },
): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { id } = await readDashboard({ catalog: transaction }, key)
    if (!isCanonicalUuid(guestId)) return
    await transaction
      .deleteFrom('dashboard_guests')
      .where('dashboard_id', '=', id)
      .where('customer_id', '=', guestId)
      .execute()
  })
}

/** A dashboard of the organisation that is shared with a member of it. Throws `not_found`, also for one that exists. */
export async function readGuestDashboard(
  catalog: Catalog,
  { organisationId, customerId, id }: GuestKey & { readonly id: string },
): Promise<Dashboard> {
  const row = await catalog
    .selectFrom('dashboard_guests')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_guests.dashboard_id')
    .innerJoin('projects', 'projects.id', 'dashboards.project_id')
    .select('projects.id as project_id')
    .where('dashboard_guests.dashboard_id', '=', parseDashboardId(id))
    .where('dashboard_guests.organisation_id', '=', organisationId)
    .where('dashboard_guests.customer_id', '=', customerId)
    .where('projects.organisation_id', '=', organisationId)
    .executeTakeFirst()
  if (!row) throw dashboardNotFound()
  return await readDashboard({ catalog }, { projectId: asProjectId(row.project_id), id })
}

async function findGuest(
  transaction: Catalog,
  { guestId, ...sharer }: Sharer & { readonly guestId: CustomerId },
): Promise<Guest> {
  const { isVisible, isShared } = await readSharing(transaction, sharer)
  // PostgreSQL rejects some characters of texts that are no ids.
  if (!isCanonicalUuid(guestId)) throw guestNotFound()
  const [member] = await listColleagues(transaction, sharer.projectId, { accounts: [guestId] })
  if (!member) throw guestNotFound()
  if (opensProject(member.role)) throw notAGuest()
  if (!isVisible(member)) throw guestNotFound()
  return toGuest(member, isShared(member))
}

/** Runs after the write in the same transaction, so that exceeding the limit rolls it back. */
async function requireWithinLimit(transaction: Catalog, dashboardId: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('dashboard_guests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dashboard_id', '=', dashboardId)
    .executeTakeFirstOrThrow()
  if (count <= GUESTS_PER_DASHBOARD_MAX) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `a dashboard is shared with at most ${GUESTS_PER_DASHBOARD_MAX} guests`,
  })
}

function guestNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'MEMBER_NOT_FOUND',
    message: 'the project has no such guest; invite them to the organisation as a guest first',
  })
}

function notAGuest(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'NOT_A_GUEST',
    message:
      'their role in the project shows them every dashboard already; share dashboards with guests only',
  })
}
