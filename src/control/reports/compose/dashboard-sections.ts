import { create } from '@bufbuild/protobuf'
import type {
  DashboardTile,
  InsightTileContent,
} from '../../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedTile } from '../../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import {
  type InsightQuerySpec,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  QueryRequestSchema,
  type QueryResponse,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../../contract/ids.ts'
import { type ComparedResult, loadTotals } from '../../../domain/insights/totals.ts'
import type { Catalog } from '../../../store/catalog/catalog.ts'
import type { Dashboard } from '../../dashboards/dashboard.ts'
import { readDashboard } from '../../dashboards/dashboard-store.ts'
import { type RenderPorts, renderDashboard } from '../../dashboards/render-dashboard.ts'
import { granularityOfTile, previousShownRange, type ShownRange } from '../../dashboards/shown-range.ts'
import type { Section } from './section.ts'
import { headOf, showTile } from './tile-section.ts'
import { type AskedSections, isTransient, type WebQueries } from './web-queries.ts'

/** Dependencies of dashboards in mails. */
export interface DashboardPorts extends RenderPorts, Pick<WebQueries, 'clock'> {
  readonly catalog: Catalog
}

/** A dashboard to ask for. */
interface Asked {
  readonly projectId: ProjectId
  readonly id: string
  readonly range: ShownRange
  readonly timeZone: string
  readonly signal: AbortSignal
}

/** Insights whose numbers are compared with those of the previous period. */
const COMPARED: ReadonlySet<InsightType> = new Set([
  InsightType.TRENDS,
  InsightType.SEGMENTATION,
  InsightType.FUNNEL,
  InsightType.TOP_K,
  InsightType.MAP,
])

/** Asks for the tiles of a dashboard. A tile that fails has its error in its place. Throws `not_found` for the dashboard. */
export async function dashboardSections(ports: DashboardPorts, asked: Asked): Promise<AskedSections> {
  let isIncomplete = false
  const runInsight: RenderPorts['runInsight'] = async (call) => {
    try {
      return await ports.runInsight(call)
    } catch (error) {
      isIncomplete ||= isTransient(error)
      throw error
    }
  }
  const noting = { ...ports, runInsight }
  const dashboard = await readDashboard(ports, asked)
  const previousRange = previousShownRange(asked.range, asked.timeZone)
  const main = await render(noting, asked, { dashboard, range: asked.range, isQueried: () => true })
  const before = await render(noting, asked, { dashboard, range: previousRange, isQueried: isCompared })
  const sections: Section[] = []
  for (const [at, tile] of main.entries())
    sections.push(await showOutcome(noting, asked, { tile, before: before[at], previousRange }))
  return { sections: sections.filter(isShown), isIncomplete }
}

function isShown(section: Section): boolean {
  return section.kind !== 'text' || section.text !== '' || section.title !== ''
}

async function render(
  ports: DashboardPorts,
  { signal, id }: Asked,
  view: {
    readonly dashboard: Dashboard
    readonly range: ShownRange
    readonly isQueried: (tile: DashboardTile) => boolean
  },
): Promise<readonly RenderedTile[]> {
  const rendered = await renderDashboard(ports, {
    ...view,
    isFresh: false,
    signal,
    requestId: `report of ${id}`,
  })
  return rendered.tiles
}

function isCompared({ content }: DashboardTile): boolean {
  const type = content.case === 'insight' ? content.value.spec?.insightType : undefined
  return type !== undefined && COMPARED.has(type)
}

async function showOutcome(
  ports: DashboardPorts,
  asked: Asked,
  of: {
    readonly tile: RenderedTile
    readonly before: RenderedTile | undefined
    readonly previousRange: ShownRange
  },
): Promise<Section> {
  const { tile: rendered, before } = of
  const { tile, outcome } = rendered
  if (!tile) return { kind: 'text', title: '', description: '', text: '' }
  const { content } = tile
  if (content.case === 'markdown')
    return { ...headOf(tile), kind: 'text', text: plainText(content.value.body) }
  if (content.case !== 'insight' || outcome.case === undefined)
    return {
      ...headOf(tile),
      kind: 'error',
      message: 'This tile shows an insight that does not exist any more.',
    }
  if (outcome.case === 'errorMessage')
    return { ...headOf(tile), kind: 'error', message: toSentence(outcome.value) }
  const { result } = outcome.value
  const previous = before?.outcome.case === 'result' ? before.outcome.value.result : undefined
  const insight = content.value
  const totals = await askTotals(ports, asked, {
    insight,
    answer: { result, previous },
    previousRange: of.previousRange,
  })
  const { timeZone } = asked
  return showTile(tile, insight, { result, previous, totals, timeZone, nowMs: ports.clock.nowMs() })
}

/** The values of trends over the whole range; where they cannot be had, the chart stands without them. */
async function askTotals(
  ports: DashboardPorts,
  asked: Asked,
  of: {
    readonly insight: InsightTileContent
    readonly answer: ComparedResult
    readonly previousRange: ShownRange
  },
) {
  const { insight, answer, previousRange } = of
  const { spec } = insight
  if (!spec || answer.result.case !== 'trends') return []
  const ask = async (one: InsightQuerySpec, range: ShownRange): Promise<QueryResponse> => {
    const granularity = granularityOfTile(insight, range)
    const request = create(QueryRequestSchema, { spec: one, timeRange: range.timeRange, granularity })
    const { projectId, signal } = asked
    return await ports.runInsight({ projectId, request, isFresh: false, signal })
  }
  try {
    return await loadTotals(spec, answer, async (one) => ({
      result: (await ask(one, asked.range)).result,
      previous: answer.previous && (await ask(one, previousRange)).result,
    }))
  } catch {
    asked.signal.throwIfAborted()
    return []
  }
}

function toSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Of a text tile. */
const CHARACTERS_MAX = 2000

/** The text of a Markdown tile without its marks; long ones are cut. */
export function plainText(markdown: string): string {
  const text = markdown
    .slice(0, 2 * CHARACTERS_MAX)
    .replaceAll(/^#{1,6}\s+/gm, '')
    .replaceAll(/!?\[([^\]\n]*)\]\(([^)\s]*)[^)\n]*\)/g, '$1 ($2)')
    .replaceAll(/(\*\*|__|`|~~)/g, '')
    .replaceAll(/^(\s*)[*+-]\s+/gm, '$1• ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text
}
