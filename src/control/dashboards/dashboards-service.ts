import { create, isFieldSet } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, projectAccessOf } from '../../access/caller.ts'
import { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import {
  type Dashboard as DashboardMessage,
  DashboardSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import {
  DashboardsService,
  type DashboardsServiceUpdateRequest,
  DashboardsServiceUpdateRequestSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { DashboardGuestsService } from '../../contract/gen/millrace/dashboards/v1/dashboard_guests_service_pb.js'
import { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { wantsFreshAnswer } from '../../rpc/answer.ts'
import { requestIdKey } from '../../rpc/call-context.ts'
import { CostTally } from '../../rpc/server-timing.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import { type CheckInsight, checkTexts, checkTiles } from './check-dashboard.ts'
import type { Dashboard, DashboardSettings } from './dashboard.ts'
import { createDashboardGuestsService } from './dashboard-guests-service.ts'
import {
  changeDashboard,
  createDashboard,
  type DashboardChange,
  type DashboardStore,
  deleteDashboard,
  listDashboards,
  readDashboard,
  replaceDashboard,
  type Sharing,
} from './dashboard-store.ts'
import { parseShareOptions, type ShareOptionsPorts } from './parse-share-options.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import { ShareLimiter } from './share-limiter.ts'
import { createSharedDashboardsService, type SharedDashboardsPorts } from './shared-dashboards-service.ts'
import { chooseShownRange } from './shown-range.ts'

/** Dependencies of the service. */
export interface DashboardsPorts extends DashboardStore, RenderPorts, ShareOptionsPorts {
  readonly checkInsight: CheckInsight
  /** The source of the time zone of default ranges. */
  readonly projects: Pick<ProjectReader, 'read'>
}

/** Registers the services of dashboards: for members of their project, for its guests, and for anyone who has a link. */
export function registerDashboards(
  router: ConnectRouter,
  ports: DashboardsPorts & SharedDashboardsPorts,
): void {
  router.service(DashboardsService, createDashboardsService(ports))
  router.service(DashboardGuestsService, createDashboardGuestsService(ports, new ShareLimiter()))
  router.service(SharedDashboardsService, createSharedDashboardsService(ports, new ShareLimiter()))
}

/** `dashboard.dashboards.v1.DashboardsService`: the dashboards of a project. */
export function createDashboardsService(ports: DashboardsPorts): ServiceImpl<typeof DashboardsService> {
  return { ...readMethods(ports), ...writeMethods(ports) }
}

function readMethods(ports: DashboardsPorts) {
  return {
    get: async ({ id }, context) => ({
      dashboard: toMessage(await readDashboard(ports, { projectId: projectOf(context), id })),
    }),
    list: async (_, context) => ({
      dashboards: (await listDashboards(ports, projectOf(context))).map(toMessage),
    }),
    queryDashboard: async ({ dashboardId: id, ...requested }, context) => {
      const dashboard = await readDashboard(ports, { projectId: projectOf(context), id })
      const tally = new CostTally()
      const { reportingTimezone: timeZone } = await ports.projects.read(dashboard.projectId)
      const view = {
        dashboard,
        range: chooseShownRange(dashboard, requested, { nowMs: ports.clock.nowMs(), timeZone }),
        isFresh: wantsFreshAnswer(context.requestHeader),
        signal: context.signal,
        requestId: context.values.get(requestIdKey),
        report: tally.report,
      }
      const rendered = await renderDashboard(ports, view)
      context.responseHeader.set('server-timing', tally.serverTiming)
      return { dashboard: rendered }
    },
  } satisfies Partial<ServiceImpl<typeof DashboardsService>>
}

function writeMethods(ports: DashboardsPorts) {
  return {
    create: async (request, context) => {
      const content = { ...parseSettings(request), tiles: [] }
      return { dashboard: toMessage(await createDashboard(ports, projectOf(context), content)) }
    },
    update: async (request, context) => {
      const key = { projectId: projectOf(context), id: request.id }
      const change = {
        ...parseChange(request),
        ...(await parseShareOptions(ports, request, customerIdOf(context))),
      }
      return { dashboard: toMessage(await changeDashboard(ports, key, change)) }
    },
    upsert: async (request, context) => {
      const { id, tiles } = request
      const projectId = projectOf(context)
      const content = { ...parseSettings(request), tiles }
      checkTiles(tiles, ports.checkInsight)
      const dashboard =
        id === ''
          ? await createDashboard(ports, projectId, content)
          : await replaceDashboard(ports, { projectId, id }, content)
      return { dashboard: toMessage(dashboard) }
    },
    delete: async ({ id }, context) => {
      await deleteDashboard(ports, { projectId: projectOf(context), id })
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof DashboardsService>>
}

/** The project of the header; the caller's role was checked before. */
function projectOf(context: HandlerContext): ProjectId {
  return projectAccessOf(context).projectId
}

function parseSettings(request: DashboardSettings): DashboardSettings {
  const { displayName, description, defaultTimeRange, defaultGranularity } = request
  checkTexts({ displayName, description })
  return {
    displayName,
    description,
    defaultTimeRange: defaultTimeRange || TimeRangePreset.LAST_30_DAYS,
    defaultGranularity: defaultGranularity || Granularity.DAY,
  }
}

/** Unset fields with explicit presence read as their defaults, hence `isFieldSet`. */
function parseChange(request: DashboardsServiceUpdateRequest): DashboardChange {
  const { displayName, description, defaultTimeRange, defaultGranularity } = request
  const { field } = DashboardsServiceUpdateRequestSchema
  checkTexts({ displayName, description })
  return {
    sharing: isFieldSet(request, field.isPublic) ? SHARING[`${request.isPublic}`] : 'unchanged',
    ...(displayName === '' ? {} : { displayName }),
    ...(isFieldSet(request, field.description) ? { description } : {}),
    ...(defaultTimeRange === TimeRangePreset.UNSPECIFIED ? {} : { defaultTimeRange }),
    ...(defaultGranularity === Granularity.UNSPECIFIED ? {} : { defaultGranularity }),
  }
}

const SHARING = { true: 'start', false: 'stop' } as const satisfies Record<string, Sharing>

function toMessage(dashboard: Dashboard): DashboardMessage {
  const { projectId, createdMs, updatedMs, tiles, shareExpiresMs, sharePasswordHash, ...rest } = dashboard
  return create(DashboardSchema, {
    ...rest,
    ...(shareExpiresMs === 0 ? {} : { shareExpireTime: timestampFromMs(shareExpiresMs) }),
    hasSharePassword: sharePasswordHash !== '',
    projectId: String(projectId),
    tiles: [...tiles],
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(updatedMs),
  })
}
