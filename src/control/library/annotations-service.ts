import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import {
  type AnnotationSchema,
  AnnotationsService,
  type AnnotationsServiceListRequest,
} from '../../contract/gen/millrace/library/v1/annotations_service_pb.js'
import { SavedInsightsService } from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import {
  type Annotation,
  type AnnotationContent,
  type AnnotationSelection,
  createAnnotation,
  deleteAnnotation,
  listAnnotations,
  readAnnotation,
  replaceAnnotation,
} from './annotation-store.ts'
import { createSavedInsightsService, type LibraryPorts } from './saved-insights-service.ts'

const PAGE_SIZE = 100

/** Dependencies of annotations. */
export interface AnnotationsPorts extends LibraryPorts {
  /** Throws `not_found` unless the project has the dashboard. */
  readonly requireDashboard: (
    catalog: Catalog,
    key: { readonly projectId: ProjectId; readonly id: string },
  ) => Promise<unknown>
}

/** Registers `millrace.library.v1.SavedInsightsService` and `millrace.library.v1.AnnotationsService`. */
export function registerLibrary(router: ConnectRouter, ports: AnnotationsPorts): void {
  router.service(SavedInsightsService, createSavedInsightsService(ports))
  router.service(AnnotationsService, createAnnotationsService(ports))
}

/** `millrace.library.v1.AnnotationsService`: notes at instants. */
export function createAnnotationsService({
  catalog,
  clock,
  requireDashboard,
}: AnnotationsPorts): ServiceImpl<typeof AnnotationsService> {
  /** The dashboard is checked in the transaction that refers to it. */
  const write = async (
    { projectId, dashboardId }: { readonly projectId: ProjectId; readonly dashboardId: string },
    work: (transaction: Catalog) => Promise<Annotation>,
  ) =>
    await inTransaction(catalog, async (transaction) => {
      if (dashboardId !== '') await requireDashboard(transaction, { projectId, id: dashboardId })
      return { annotation: toMessage(await work(transaction)) }
    })
  return {
    create: async (request, context) => {
      const projectId = projectIdOf(context)
      const nowMs = clock.nowMs()
      const change = { ...parseContent(request, nowMs), account: accountOf(context), nowMs }
      return await write({ ...change, projectId }, async (transaction) =>
        createAnnotation(transaction, projectId, change),
      )
    },
    get: async ({ id }, context) => ({
      annotation: toMessage(await readAnnotation(catalog, { projectId: projectIdOf(context), id })),
    }),
    list: async (request, context) => {
      const page = await listAnnotations(catalog, parseSelection(request, projectIdOf(context)))
      return { ...page, annotations: page.annotations.map(toMessage) }
    },
    update: async (request, context) => {
      const key = { projectId: projectIdOf(context), id: request.id }
      const nowMs = clock.nowMs()
      const change = { ...parseContent(request, nowMs), nowMs }
      return await write({ ...change, ...key }, async (transaction) =>
        replaceAnnotation(transaction, key, change),
      )
    },
    delete: async ({ id }, context) => {
      await deleteAnnotation(catalog, { projectId: projectIdOf(context), id })
      return {}
    },
  }
}

interface SentAnnotation {
  readonly time?: Timestamp | undefined
  readonly text: string
  readonly dashboardId: string
}

function parseContent({ time, text, dashboardId }: SentAnnotation, nowMs: number): AnnotationContent {
  return { timeMs: time ? Math.floor(timestampMs(time)) : nowMs, text, dashboardId }
}

function parseSelection(
  { timeRange, dashboardId, allDashboards, pageSize, pageToken }: AnnotationsServiceListRequest,
  projectId: ProjectId,
): AnnotationSelection {
  const { from, to } = timeRange ?? {}
  return {
    projectId,
    dashboardId: allDashboards ? undefined : dashboardId,
    range:
      from && to ? { fromMs: Math.floor(timestampMs(from)), toMs: Math.floor(timestampMs(to)) } : undefined,
    pageSize: pageSize || PAGE_SIZE,
    pageToken,
  }
}

function toMessage({
  timeMs,
  createdMs,
  updatedMs,
  ...annotation
}: Annotation): MessageInitShape<typeof AnnotationSchema> {
  return {
    ...annotation,
    time: timestampFromMs(timeMs),
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(updatedMs),
  }
}
