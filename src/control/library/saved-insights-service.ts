import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import type {
  InsightContent,
  InsightVersionSchema,
  SavedInsightSchema,
} from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import type { SavedInsightsService } from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { invalidField } from '../invalid-field.ts'
import { checkContent } from './check-content.ts'
import { loadUses } from './insight-uses.ts'
import { loadVersions, type StoredVersion } from './insight-versions.ts'
import { listInsights } from './list-insights.ts'
import type { Authorship, InsightKey, SavedInsight } from './saved-insight.ts'
import {
  createInsight,
  deleteInsight,
  duplicateInsight,
  loadFavorites,
  readInsight,
  replaceInsight,
  restoreInsight,
  setFavorite,
} from './saved-insight-store.ts'

/** Dependencies of the library. */
export interface LibraryPorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** `millrace.library.v1.SavedInsightsService`: the insights that a team keeps. */
export function createSavedInsightsService(ports: LibraryPorts): ServiceImpl<typeof SavedInsightsService> {
  return { ...createReads(ports), ...createWrites(ports) }
}

type Methods<Name extends keyof ServiceImpl<typeof SavedInsightsService>> = Pick<
  ServiceImpl<typeof SavedInsightsService>,
  Name
>

function createReads({ catalog }: LibraryPorts): Methods<'get' | 'list' | 'listVersions'> {
  return {
    get: async (request, context) => ({
      insight: await toMessage(catalog, await readInsight(catalog, keyOf(request, context)), context),
    }),
    list: async (request, context) => {
      const projectId = projectIdOf(context)
      const favorites = await loadFavorites(catalog, { projectId, account: accountOf(context) })
      const { insights, ...page } = await listInsights(catalog, request, { projectId, favorites })
      return {
        insights: await toMessages(catalog, insights, favorites),
        ...page,
        tags: [...page.tags],
        creators: [...page.creators],
      }
    },
    listVersions: async (request, context) => {
      const { id } = await readInsight(catalog, keyOf(request, context))
      return { versions: (await loadVersions(catalog, id)).map(toVersion) }
    },
  }
}

function createWrites({
  catalog,
  clock,
}: LibraryPorts): Methods<'create' | 'update' | 'delete' | 'duplicate' | 'setFavorite' | 'restore'> {
  const authorOf = (context: HandlerContext): Authorship => ({
    account: accountOf(context),
    nowMs: clock.nowMs(),
  })
  const answer = async (insight: SavedInsight, context: HandlerContext) => ({
    insight: await toMessage(catalog, insight, context),
  })
  return {
    create: async (request, context) => {
      const change = { content: parseContent(request.content), ...authorOf(context) }
      return await answer(await createInsight(catalog, projectIdOf(context), change), context)
    },
    update: async (request, context) => {
      const change = { content: parseContent(request.content), ...authorOf(context) }
      return await answer(await replaceInsight(catalog, keyOf(request, context), change), context)
    },
    delete: async (request, context) => {
      await deleteInsight(catalog, keyOf(request, context))
      return {}
    },
    duplicate: async (request, context) => {
      const change = { name: request.name, ...authorOf(context) }
      return await answer(await duplicateInsight(catalog, keyOf(request, context), change), context)
    },
    setFavorite: async (request, context) => {
      const change = { account: accountOf(context), isFavorite: request.isFavorite }
      return await answer(await setFavorite(catalog, keyOf(request, context), change), context)
    },
    restore: async (request, context) => {
      const change = { version: request.version, ...authorOf(context) }
      return await answer(await restoreInsight(catalog, keyOf(request, context), change), context)
    },
  }
}

function keyOf({ id }: { readonly id: string }, context: HandlerContext): InsightKey {
  return { projectId: projectIdOf(context), id }
}

function parseContent(content: InsightContent | undefined): InsightContent {
  if (!content) throw invalidField('content', 'is required')
  checkContent(content)
  return content
}

async function toMessage(
  catalog: Catalog,
  insight: SavedInsight,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SavedInsightSchema>> {
  const reader = { projectId: projectIdOf(context), account: accountOf(context) }
  const [message] = await toMessages(catalog, [insight], await loadFavorites(catalog, reader))
  return message ?? {}
}

async function toMessages(
  catalog: Catalog,
  insights: readonly SavedInsight[],
  favorites: ReadonlySet<string>,
): Promise<MessageInitShape<typeof SavedInsightSchema>[]> {
  const uses = await loadUses(
    catalog,
    insights.map(({ id }) => id),
  )
  return insights.map(({ createdMs, updatedMs, ...insight }) => ({
    ...insight,
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(updatedMs),
    isFavorite: favorites.has(insight.id),
    usedBy: [...(uses.get(insight.id) ?? [])],
  }))
}

function toVersion({ createdMs, ...version }: StoredVersion): MessageInitShape<typeof InsightVersionSchema> {
  return { ...version, createTime: timestampFromMs(createdMs) }
}
