import type { ReportPage, Section, ShownNumber } from './section.ts'
import type { ShownPicture } from './write-html.ts'

/** Writes a report as plain text. */
export function writeText(page: ReportPage, pictures: ReadonlyMap<Section, ShownPicture>): string {
  const parts = [
    `${page.name}\n${page.projectName} · ${page.range}`,
    ...page.sections.map((section) => writeSection(section, pictures.get(section))),
    ...(page.moreCount === 0 ? [] : [`${page.moreCount} more in Millrace.`]),
    page.link,
  ]
  return `${parts.join('\n\n')}\n`
}

function writeSection(section: Section, picture: ShownPicture | undefined): string {
  const { title, description } = section
  const head = [title === '' ? '' : title.toUpperCase(), description].filter((text) => text !== '')
  return [...head, ...linesOf(section, picture)].join('\n')
}

function linesOf(section: Section, picture: ShownPicture | undefined): readonly string[] {
  switch (section.kind) {
    case 'numbers':
      return section.numbers.map(writeNumber)
    case 'chart':
      return [...section.numbers.map(writeNumber), picture?.words ?? '']
    case 'table': {
      const rows = section.rows.map(({ cells: [name = '', ...values], change }) =>
        [`${name}:`, values.join(', '), ...(change ? [`(${change.text})`] : [])].join(' '),
      )
      if (rows.length === 0) return ['No data in this period.']
      return section.moreCount === 0 ? rows : [...rows, `${section.moreCount} more.`]
    }
    case 'text':
      return [section.text]
    case 'error':
      return [section.message]
    default:
      return section satisfies never
  }
}

function writeNumber({ label, text, change }: ShownNumber): string {
  const value = change ? `${text} (${change.text})` : text
  return label === '' ? value : `${label}: ${value}`
}
