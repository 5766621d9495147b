import type { NameKey } from '../../i18n/translate.ts'
import type { DimensionName } from './dimensions.ts'
import type { VisitFilter } from './view-state.ts'

/** A view of a panel, by its name in addresses: the rows of a dimension, or countries on a map. */
export interface PanelView {
  readonly name: DimensionName | 'map'
  readonly dimension: DimensionName
  readonly label: NameKey
}

/** A panel of the page: views of one subject. */
export interface Panel {
  /** Its parameter in the address. */
  readonly name: 'pages' | 'sources' | 'places' | 'devices'
  readonly title: NameKey
  readonly views: readonly [PanelView, ...PanelView[]]
}

const rows = (dimension: DimensionName, label: NameKey): PanelView => ({ name: dimension, dimension, label })

/** The panels of the page. */
export const PANELS: readonly Panel[] = [
  {
    name: 'pages',
    title: 'overview.pages',
    views: [
      rows('page', 'overview.pagesTop'),
      rows('entry', 'overview.pagesEntry'),
      rows('exit', 'overview.pagesExit'),
    ],
  },
  {
    name: 'sources',
    title: 'overview.sources',
    views: [
      rows('channel', 'overview.sourcesChannels'),
      rows('referrer', 'overview.sourcesReferrers'),
      rows('campaign', 'overview.sourcesCampaigns'),
    ],
  },
  {
    name: 'places',
    title: 'overview.places',
    views: [
      { name: 'map', dimension: 'country', label: 'overview.placesMap' },
      rows('country', 'overview.placesCountries'),
      rows('region', 'overview.placesRegions'),
      rows('city', 'overview.placesCities'),
    ],
  },
  {
    name: 'devices',
    title: 'overview.devices',
    views: [
      rows('browser', 'overview.devicesBrowsers'),
      rows('os', 'overview.devicesOs'),
      rows('device', 'overview.devicesType'),
    ],
  },
]

/** The view of a panel that nothing chooses: the first, but the cities where the page is about one country. */
export function usualView({ views }: Panel, filters: readonly VisitFilter[]): PanelView {
  const isOneCountry = filters.some(({ dimension, operator }) => dimension === 'country' && operator === 'is')
  const cities = isOneCountry ? views.find(({ name }) => name === 'city') : undefined
  return cities ?? views[0]
}

/** The view that an address chooses, or the usual one. */
export function chosenView(panel: Panel, query: URLSearchParams, filters: readonly VisitFilter[]): PanelView {
  const asked = query.get(panel.name)
  return panel.views.find(({ name }) => name === asked) ?? usualView(panel, filters)
}
