import { Dimension } from '../../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { readKind } from '../../../pipeline/dialects/foreign/foreign-kind.ts'
import { ENGAGEMENT, PLAUSIBLE_KINDS } from '../../../pipeline/dialects/plausible/read-request.ts'
import { BROWSER_NAMES, SYSTEM_NAMES } from '../../../pipeline/enrich/user-agent/names.ts'
import { channelOfSource, domainOfReferrer } from './source-values.ts'

/** Reads a cell of a row by the name of its column; `undefined` for a column that the file does not have. */
export type ReadCell = (column: string) => string | undefined

/** A dimension of a table. */
interface TableDimension {
  readonly dimension: Dimension
  /** The value of a row, as Millrace has it; `undefined` when the file cannot tell it. */
  readonly value: (cell: ReadCell) => string | undefined
}

/** A table of the export. */
interface Table {
  /** Columns without which the file is unreadable; every other one may be missing. */
  readonly needs: readonly string[]
  readonly dimensions: readonly TableDimension[]
  /** The column with the number of visits. */
  readonly visits: string | undefined
  /** Whether a row is none of the numbers to import. */
  readonly isOmitted?: (cell: ReadCell) => boolean
}

function one(dimension: Dimension, column: string, name = (text: string) => text): TableDimension {
  return {
    dimension,
    value: (cell) => {
      const text = cell(column)
      return text === undefined ? undefined : name(text)
    },
  }
}

const BROWSERS: ReadonlyMap<string, string> = new Map([
  ...BROWSER_NAMES,
  ['Microsoft Edge', 'Edge'],
  ['Internet Explorer', 'IE'],
  ['Samsung Browser', 'Samsung Internet'],
])

const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ...SYSTEM_NAMES,
  ['Mac', 'macOS'],
  ['GNU/Linux', 'Linux'],
])

/** Plausible's laptops are desktops of a small screen. */
const DEVICES: ReadonlyMap<string, string> = new Map([['laptop', 'desktop']])

function renamed(names: ReadonlyMap<string, string>): (text: string) => string {
  return (text) => names.get(text) ?? text
}

/** Every table, in the order in which they are imported. */
export const TABLES = {
  visitors: {
    needs: ['date', 'visitors'],
    dimensions: [{ dimension: Dimension.UNSPECIFIED, value: () => '' }],
    visits: 'visits',
  },
  pages: {
    needs: ['date', 'page', 'visitors'],
    dimensions: [one(Dimension.PAGE, 'page')],
    visits: 'visits',
  },
  entry_pages: {
    needs: ['date', 'entry_page', 'visitors'],
    dimensions: [one(Dimension.ENTRY_PAGE, 'entry_page')],
    visits: 'entrances',
  },
  exit_pages: {
    needs: ['date', 'exit_page', 'visitors'],
    dimensions: [one(Dimension.EXIT_PAGE, 'exit_page')],
    visits: 'exits',
  },
  sources: {
    needs: ['date', 'source', 'visitors'],
    dimensions: [
      { dimension: Dimension.CHANNEL, value: channelOfSource },
      { dimension: Dimension.REFERRER, value: domainOfReferrer },
      one(Dimension.UTM_SOURCE, 'utm_source'),
      one(Dimension.UTM_MEDIUM, 'utm_medium'),
      one(Dimension.UTM_CAMPAIGN, 'utm_campaign'),
      one(Dimension.UTM_TERM, 'utm_term'),
      one(Dimension.UTM_CONTENT, 'utm_content'),
    ],
    visits: 'visits',
  },
  locations: {
    needs: ['date', 'country', 'visitors'],
    // Regions and cities are codes of other lists there, which no event has.
    dimensions: [one(Dimension.COUNTRY, 'country')],
    visits: 'visits',
  },
  devices: {
    needs: ['date', 'device', 'visitors'],
    dimensions: [one(Dimension.DEVICE_TYPE, 'device', (text) => renamed(DEVICES)(text.toLowerCase()))],
    visits: 'visits',
  },
  browsers: {
    needs: ['date', 'browser', 'visitors'],
    dimensions: [one(Dimension.BROWSER, 'browser', renamed(BROWSERS))],
    visits: 'visits',
  },
  operating_systems: {
    needs: ['date', 'operating_system', 'visitors'],
    dimensions: [one(Dimension.OS, 'operating_system', renamed(SYSTEMS))],
    visits: 'visits',
  },
  custom_events: {
    needs: ['date', 'name', 'visitors', 'events'],
    dimensions: [one(Dimension.EVENT_KIND, 'name', (name) => readKind(name, PLAUSIBLE_KINDS).kind)],
    visits: undefined,
    isOmitted: (cell) => cell('name') === ENGAGEMENT,
  },
} as const satisfies Readonly<Record<string, Table>>

/** The name of a table, without `imported_`. */
export type TableName = keyof typeof TABLES

/** Whether a table is imported. */
export function isTableName(text: string): text is TableName {
  return Object.hasOwn(TABLES, text)
}

/** The definition of a table. */
export function tableOf(name: TableName): Table {
  return TABLES[name]
}
