import { Prng } from '../../src/kernel/prng.ts'
import { makeZip } from './zip.ts'

/** A row of a table of the export, by column. */
export type ExportRow = Readonly<Record<string, string | number>>

/** An export of Plausible: the rows of each table, in the order of their days. */
export interface PlausibleExport {
  readonly tables: Readonly<Record<string, readonly ExportRow[]>>
  /** The archive. */
  readonly zip: Buffer
}

/** A range of days and the seed of their numbers. */
export interface ExportOptions {
  readonly firstDay: string
  readonly lastDay: string
  readonly seed: number
}

/** Daily visitors, visits and page views of all days of an export, as an overview answers them. */
export function totalsOf({ tables }: PlausibleExport): object {
  const sum = (column: string): string =>
    String((tables.visitors ?? []).reduce((total, row) => total + Number(row[column]), 0))
  return { dailyVisitors: sum('visitors'), visits: sum('visits'), pageViews: sum('pageviews') }
}

/** Values of the export, and what they are here. */
export const VALUES = {
  browser: {
    Chrome: 'Chrome',
    Safari: 'Safari',
    'Microsoft Edge': 'Edge',
    'Samsung Browser': 'Samsung Internet',
  },
  operating_system: { Mac: 'macOS', Windows: 'Windows', 'GNU/Linux': 'Linux', iOS: 'iOS', '': '' },
  device: { Desktop: 'desktop', Laptop: 'desktop', Mobile: 'mobile', Tablet: 'tablet' },
  country: { DE: 'DE', US: 'US', JP: 'JP' },
  page: { '/': '/', '/docs': '/docs', '/bücher, "neu"': '/bücher, "neu"' },
  name: { Signup: 'Signup', 'Outbound Link: Click': 'outbound_link_click' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Sources of the export, and the channel and the domain that they have here. */
export const SOURCES = [
  { source: 'Google', referrer: 'google.com', channel: 'Organic Search', domain: 'google.com' },
  { source: 'GitHub', referrer: 'github.com/a/b', channel: 'Referral', domain: 'github.com' },
  { source: '', referrer: '', channel: 'Direct', domain: '' },
  {
    source: 'newsletter',
    referrer: '',
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'May, 2025',
    channel: 'Email',
    domain: '',
  },
] as const

const SUFFIX = /-/g

/** Makes an export with numbers of its own for each day. */
export function makePlausibleExport({ firstDay, lastDay, seed }: ExportOptions): PlausibleExport {
  const prng = new Prng(seed)
  const days = listDays(firstDay, lastDay)
  const ofDays = (rows: (date: string) => readonly ExportRow[]): readonly ExportRow[] => days.flatMap(rows)
  const visits = (name = 'visits') => {
    const count = 1 + prng.below(500)
    return {
      visitors: 1 + prng.below(count),
      [name]: count,
      visit_duration: prng.below(200 * count),
      bounces: prng.below(count + 1),
      pageviews: count + prng.below(3 * count),
    }
  }
  const byValue = (column: keyof typeof VALUES, of: () => ExportRow): readonly ExportRow[] =>
    ofDays((date) => Object.keys(VALUES[column]).map((value) => ({ date, [column]: value, ...of() })))
  const pageNumbers = () => ({
    visits: 1 + prng.below(90),
    visitors: 1 + prng.below(80),
    pageviews: 1 + prng.below(300),
    total_scroll_depth: '\\N',
  })
  const tables = {
    visitors: ofDays((date) => [{ date, ...visits() }]),
    sources: ofDays((date) =>
      SOURCES.map(({ channel: _, domain: __, ...source }) => ({
        date,
        ...NO_SOURCE,
        ...source,
        ...visits(),
      })),
    ),
    pages: ofDays((date) =>
      Object.keys(VALUES.page).map((page) => ({ date, hostname: 'shop.example', page, ...pageNumbers() })),
    ),
    entry_pages: renamed(
      byValue('page', () => visits('entrances')),
      'entry_page',
    ),
    exit_pages: renamed(
      byValue('page', () => visits('exits')),
      'exit_page',
    ),
    custom_events: byValue('name', () => ({
      link_url: '',
      path: '',
      visitors: 1 + prng.below(50),
      events: 1 + prng.below(200),
    })),
    locations: byValue('country', () => ({ region: 'DE-BE', city: 2_950_159, ...visits() })),
    devices: byValue('device', () => visits()),
    browsers: byValue('browser', () => ({ browser_version: String(100 + prng.below(40)), ...visits() })),
    operating_systems: byValue('operating_system', () => ({ operating_system_version: '15', ...visits() })),
  }
  const suffix = `${firstDay.replace(SUFFIX, '')}_${lastDay.replace(SUFFIX, '')}`
  const files = Object.entries(tables).map(
    ([name, rows]) => [`imported_${name}_${suffix}.csv`, Buffer.from(toCsv(rows))] as const,
  )
  return { tables, zip: makeZip(Object.fromEntries(files)) }
}

const NO_SOURCE = {
  source: '',
  referrer: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_content: '',
  utm_term: '',
}

function renamed(rows: readonly ExportRow[], column: string): readonly ExportRow[] {
  return rows.map(({ page = '', ...row }) => ({ [column]: page, ...row }))
}

/** The days from the first to the last. */
function listDays(firstDay: string, lastDay: string): readonly string[] {
  const days: string[] = []
  for (let ms = Date.parse(firstDay); ms <= Date.parse(lastDay); ms += 86_400_000)
    days.push(new Date(ms).toISOString().slice(0, 10))
  return days
}

/** CSV as ClickHouse writes it: texts are quoted, numbers are not. */
export function toCsv(rows: readonly ExportRow[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cell = (value: string | number | undefined): string =>
    typeof value === 'number'
      ? String(value)
      : value === '\\N'
        ? value
        : `"${String(value).replaceAll('"', '""')}"`
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return [columns.map(cell).join(','), ...lines, ''].join('\n')
}
