import type { ProjectId } from '../../../contract/ids.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Catalog } from '../../../store/catalog/catalog.ts'
import { toOneLine } from '../../mail/mail-text.ts'
import type { MailPicture } from '../../mail/mail-transport.ts'
import { dashboardIdOf, type Report } from '../report.ts'
import { describeDays, rangeMsOf, shownRangeOf } from '../report-period.ts'
import type { ComposeReport } from '../send-reports.ts'
import { describeChart, namedNumbers } from './alt-text.ts'
import { type DashboardPorts, dashboardSections } from './dashboard-sections.ts'
import { CHART_SIZE, drawChart } from './draw-chart.ts'
import { renderPng } from './render-png.ts'
import type { Section } from './section.ts'
import { FORMATS } from './show-values.ts'
import { askWebSections, type WebQueries } from './web-queries.ts'
import { type ShownPicture, writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

/** Dependencies of composing. */
export interface ComposePorts extends DashboardPorts, WebQueries {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Base URL of the console. */
  readonly publicUrl: string
}

/** Sections of one mail: a longer one is cut off by mail programs. */
const SECTIONS_MAX = 24
const PICTURES_MAX = 12
/** All pictures of one mail: mail servers and phones take far more. */
const PICTURE_BYTES_MAX = 1024 * 1024

/** Creates the function that composes the mail of a report about a period. */
export function createComposeReport(ports: ComposePorts): ComposeReport {
  return async ({ report, period, timeZone, signal }) => {
    const { spec, projectId } = report
    const range = shownRangeOf(spec, period, timeZone)
    const ask = { projectId, range, timeZone, signal }
    const { sections, isIncomplete } =
      spec.content.case === 'dashboard'
        ? await dashboardSections(ports, { ...ask, id: dashboardIdOf(spec) })
        : await askWebSections(ports, { ...ask, content: spec.content.value })
    const shown = sections.slice(0, SECTIONS_MAX)
    const { pictures, images } = await drawPictures(report.id, shown, signal)
    const words = describeDays(rangeMsOf(range), timeZone)
    const page = {
      name: toOneLine(spec.name),
      projectName: await readProjectName(ports.catalog, projectId),
      range: words,
      link: linkOf(ports.publicUrl, report),
      sections: shown,
      moreCount: sections.length - shown.length,
    }
    return {
      mail: {
        subject: `${page.name}: ${describeDays(period, timeZone)}`,
        html: writeHtml(page, pictures),
        text: writeText(page, pictures),
        pictures: images,
      },
      isIncomplete,
    }
  }
}

/** Draws the charts one after the other. */
async function drawPictures(
  reportId: string,
  sections: readonly Section[],
  signal: AbortSignal,
): Promise<{
  readonly pictures: ReadonlyMap<Section, ShownPicture>
  readonly images: readonly MailPicture[]
}> {
  const pictures = new Map<Section, ShownPicture>()
  const images: MailPicture[] = []
  let bytes = 0
  for (const section of sections) {
    if (section.kind !== 'chart') continue
    const words = describeChart(section.model)
    const alt = [...namedNumbers(section.numbers), words].join(' ')
    pictures.set(section, { cid: undefined, alt, words })
    if (images.length >= PICTURES_MAX || section.model.times.length === 0) continue
    signal.throwIfAborted()
    const png = await renderPng(drawChart(section.model, FORMATS), CHART_SIZE.width)
    if (bytes + png.length > PICTURE_BYTES_MAX) continue
    bytes += png.length
    const cid = `chart-${images.length + 1}@${reportId}`
    images.push({ cid, png })
    pictures.set(section, { cid, alt, words })
  }
  return { pictures, images }
}

function linkOf(publicUrl: string, { projectId, spec }: Report): string {
  const id = dashboardIdOf(spec)
  const place = id === '' ? 'overview' : `dashboards/${id}`
  return `${publicUrl.replace(/\/$/, '')}/p/${projectId}/${place}`
}

async function readProjectName(catalog: Catalog, projectId: ProjectId): Promise<string> {
  const row = await catalog
    .selectFrom('projects')
    .select('display_name')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return toOneLine(row.display_name)
}
