import { isBars, type TimeModel } from '../../../domain/charts/time-model.ts'
import { escapeHtml } from '../../mail/mail-text.ts'
import { FOOTER } from '../report-mail.ts'
import { CHART_SIZE } from './draw-chart.ts'
import { COLORS, seriesColor } from './palette.ts'
import type { ReportPage, Section, ShownChange, ShownNumber, ShownRow } from './section.ts'

/** A picture of a section, and the same in words. */
export interface ShownPicture {
  /** `undefined` where there is no room for it: the words stand in its place. */
  readonly cid: string | undefined
  /** With the numbers beside it. */
  readonly alt: string
  /** Without them. */
  readonly words: string
}

const FONTS = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Mail programs cut off documents above 102 kB. */
const HTML_BYTES_MAX = 90_000

const NUMBERS_PER_ROW = 3

/** Only programs that know it invert nothing; the others ignore it. Colours of text are classes, so that it reaches them. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (max-width:480px){.pad{padding:16px!important}}@media (prefers-color-scheme:dark){.canvas{background:#0c1010!important}.card{background:#131818!important;border-color:#232b2b!important}.t1{color:#e9eeed!important}.t2{color:#aab5b3!important}.t3{color:#8f9c9a!important}.good{color:#6fd493!important}.bad{color:#ff9a90!important}.rule{border-color:#232b2b!important}.bar{background-image:none!important}.action{color:#35c4b3!important}}`

/** iOS would make links of numbers and dates. */
const METAS = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`

/** Outlook takes Times for the cells of tables inside of tables, and enlarges pixels on dense screens. */
const FOR_OUTLOOK = `<!--[if mso]><style>td,th,p,h1,h2,div,span,a{font-family:'Segoe UI',Arial,sans-serif!important}</style><xml><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office"><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->`

/** Writes a report as an HTML document for mail programs: tables and inline styles. Sections without room are counted. */
export function writeHtml(page: ReportPage, pictures: ReadonlyMap<Section, ShownPicture>): string {
  const cards: string[] = []
  let bytes = 0
  for (const section of page.sections) {
    const card = writeCard(writeSection(section, pictures.get(section)))
    bytes += Buffer.byteLength(card)
    if (bytes > HTML_BYTES_MAX) break
    cards.push(card)
  }
  const moreCount = page.moreCount + page.sections.length - cards.length
  const more =
    moreCount === 0
      ? ''
      : `<p class="t2" style="${textStyle('text-2', 14)}">${moreCount} more in Millrace.</p>`
  const head = `${METAS}<title>${escapeHtml(page.name)}</title><style>${STYLE}</style>${FOR_OUTLOOK}`
  const open = `<p style="margin:0 0 8px"><a class="action" href="${escapeHtml(page.link)}" style="color:${COLORS.accent};font-weight:600;text-decoration:none">Open in Millrace</a></p>`
  const foot = `<div style="padding:8px 4px 24px">${more}${open}<p class="t3" style="${textStyle('text-3', 12)}">${FOOTER}</p></div>`
  const inner = `${writeTitle(page)}${cards.join('')}${foot}`
  // Outlook ignores max-width, so its own table has the width.
  const column = `<!--[if mso]><table role="presentation" width="600" align="center" border="0" cellpadding="0" cellspacing="0"><tr><td><![endif]--><div style="max-width:600px;margin:0 auto">${inner}</div><!--[if mso]></td></tr></table><![endif]-->`
  return `<!doctype html><html lang="en"><head>${head}</head><body class="canvas" style="margin:0;padding:0;background:${COLORS.canvas};font-family:${FONTS}"><table role="presentation" class="canvas" width="100%" border="0" cellpadding="0" cellspacing="0" bgcolor="${COLORS.canvas}" style="background:${COLORS.canvas}"><tr><td style="padding:16px 8px;font-family:${FONTS}">${column}</td></tr></table></body></html>\n`
}

function textStyle(color: keyof typeof COLORS, pixels: number): string {
  return `margin:0 0 8px;color:${COLORS[color]};font-size:${pixels}px;line-height:1.45`
}

function writeTitle({ name, projectName, range }: ReportPage): string {
  return `<div style="padding:8px 4px 16px"><h1 class="t1" style="margin:0 0 4px;color:${COLORS.text};font-size:22px;line-height:1.3">${escapeHtml(name)}</h1><p class="t2" style="${textStyle('text-2', 14)};margin:0">${escapeHtml(`${projectName} · ${range}`)}</p></div>`
}

function writeCard(content: string): string {
  const style = `margin:0 0 12px;background:${COLORS.surface};border:1px solid ${COLORS.line};border-radius:10px;border-collapse:separate`
  return `<table role="presentation" class="card" width="100%" border="0" cellpadding="0" cellspacing="0" bgcolor="${COLORS.surface}" style="${style}"><tr><td class="pad" style="padding:20px 24px;font-family:${FONTS}">${content}</td></tr></table>`
}

function writeSection(section: Section, picture: ShownPicture | undefined): string {
  const { title, description } = section
  const head = [
    title === ''
      ? ''
      : `<h2 class="t1" style="margin:0 0 8px;color:${COLORS.text};font-size:15px;line-height:1.35">${escapeHtml(title)}</h2>`,
    description === ''
      ? ''
      : `<p class="t2" style="${textStyle('text-2', 13)}">${escapeHtml(description)}</p>`,
  ].join('')
  return `${head}${writeBody(section, picture)}`
}

function writeBody(section: Section, picture: ShownPicture | undefined): string {
  switch (section.kind) {
    case 'numbers':
      return writeNumbers(section.numbers)
    case 'chart':
      return `${writeNumbers(section.numbers)}${writePicture(picture)}${writeLegend(section.model)}`
    case 'table':
      return writeTable(section)
    case 'text':
      return `<p class="t1" style="${textStyle('text', 14)}">${escapeHtml(section.text).replaceAll('\n', '<br>')}</p>`
    case 'error':
      return `<p class="bad" style="${textStyle('bad', 14)}">${escapeHtml(section.message)}</p>`
    default:
      return section satisfies never
  }
}

function writeNumbers(numbers: readonly ShownNumber[]): string {
  const rows: string[] = []
  for (let at = 0; at < numbers.length; at += NUMBERS_PER_ROW) {
    const cells = numbers.slice(at, at + NUMBERS_PER_ROW).map(writeNumber)
    const missing = numbers.length > NUMBERS_PER_ROW ? NUMBERS_PER_ROW - cells.length : 0
    rows.push(`<tr>${cells.join('')}${'<td></td>'.repeat(missing)}</tr>`)
  }
  if (rows.length === 0) return ''
  return `<table role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" style="margin:0 0 8px">${rows.join('')}</table>`
}

function writeNumber({ label, text, change }: ShownNumber): string {
  const name =
    label === ''
      ? ''
      : `<div class="t2" style="color:${COLORS['text-2']};font-size:12px;line-height:1.4">${escapeHtml(label)}</div>`
  const value = `<span class="t1" style="color:${COLORS.text};font-size:22px;font-weight:600;line-height:1.3">${escapeHtml(text)}</span>`
  return `<td valign="top" style="padding:4px 12px 8px 0;font-family:${FONTS}">${name}${value}${change ? ` ${writeChange(change)}` : ''}</td>`
}

const TONES = {
  good: { name: 'good', color: COLORS.good },
  bad: { name: 'bad', color: COLORS.bad },
  neutral: { name: 't3', color: COLORS['text-3'] },
} as const satisfies Record<ShownChange['tone'], object>

function writeChange({ text, tone }: ShownChange): string {
  const { name, color } = TONES[tone]
  return `<span class="${name}" style="color:${color};font-size:12px;white-space:nowrap">${escapeHtml(text)}</span>`
}

function writePicture(picture: ShownPicture | undefined): string {
  if (!picture) return ''
  if (picture.cid === undefined)
    return `<p class="t2" style="${textStyle('text-2', 14)}">${escapeHtml(picture.words)}</p>`
  const alt = escapeHtml(picture.alt)
  const { width } = CHART_SIZE
  return `<img src="cid:${picture.cid}" width="${width}" alt="${alt}" class="t2" style="display:block;width:100%;max-width:${width}px;height:auto;border:0;border-radius:6px;${textStyle('text-2', 13)}">`
}

/** The names of the series beside their colours; a single one is named by its title. */
function writeLegend({ lines, previousLine, style }: TimeModel): string {
  const names = lines.length > 1 ? lines.map(({ label, slot }) => writeName(label, seriesColor(slot))) : []
  const mark = isBars(style) ? '■' : '┅'
  const previous = previousLine ? [writeName('Previous period', COLORS.prev, mark)] : []
  const all = [...names, ...previous]
  return all.length === 0 ? '' : `<p style="margin:6px 0 0;line-height:1.6">${all.join(' ')}</p>`
}

function writeName(label: string, color: string, mark = '■'): string {
  return `<span class="t2" style="color:${COLORS['text-2']};font-size:12px;margin-right:12px"><span style="color:${color}">${mark}</span> ${escapeHtml(label)}</span>`
}

function writeTable({ columns, rows, moreCount }: Extract<Section, { readonly kind: 'table' }>): string {
  if (rows.length === 0) return `<p class="t2" style="${textStyle('text-2', 14)}">No data in this period.</p>`
  const hasChange = rows.some(({ change }) => change)
  const heads = [...columns, ...(hasChange ? ['Change'] : [])].map((name, at) => {
    const align = at === 0 ? 'left' : 'right'
    return `<th scope="col" class="t3 rule" align="${align}" style="padding:4px 8px;color:${COLORS['text-3']};font-size:12px;font-weight:400;border-bottom:1px solid ${COLORS.line}">${escapeHtml(name)}</th>`
  })
  const body = rows.map((row) => writeRow(row, hasChange))
  const more =
    moreCount === 0
      ? ''
      : `<p class="t3" style="${textStyle('text-3', 12)};margin-top:6px">${moreCount} more.</p>`
  return `<table width="100%" border="0" cellpadding="0" cellspacing="0" style="border-collapse:collapse"><tr>${heads.join('')}</tr>${body.join('')}</table>${more}`
}

function writeRow({ cells, share, change }: ShownRow, hasChange: boolean): string {
  const shown = cells.map((cell, at) => {
    const isFirst = at === 0
    const percent = share === undefined ? 0 : Math.round(Math.max(0, Math.min(1, share)) * 100)
    const bar =
      isFirst && percent > 0
        ? `;background-image:linear-gradient(to right,${COLORS.bar} ${percent}%,transparent ${percent}%)`
        : ''
    const name = isFirst ? 'class="t1 rule bar"' : 'class="t1 rule" align="right"'
    const wrap = isFirst ? 'word-break:break-word' : 'white-space:nowrap'
    return `<td ${name} style="padding:6px 8px;color:${COLORS.text};font-size:13px;${wrap};border-bottom:1px solid ${COLORS.line}${bar}">${escapeHtml(cell)}</td>`
  })
  const last = hasChange
    ? `<td class="rule" align="right" style="padding:6px 8px;border-bottom:1px solid ${COLORS.line}">${change ? writeChange(change) : ''}</td>`
    : ''
  return `<tr>${shown.join('')}${last}</tr>`
}
