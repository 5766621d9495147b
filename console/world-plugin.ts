import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'

const NAME = 'virtual:world'

/** Width of the map in its own units, fine enough that whole ones do; the height follows from the projection. */
const WIDTH = 4800
const DEGREE = Math.PI / 180

/** The map ends above Antarctica, which is uninhabited and would take a third of the picture. */
const SOUTH = -58

type Point = readonly [x: number, y: number]

/**
 * Gives the console the outlines of countries as SVG paths, by ISO code: made when it is built, from Natural Earth's outlines
 * in the public domain (`world-atlas`), so that the browser needs no geometry library.
 */
export function world(): Plugin {
  return {
    name: 'world',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? writeModule() : undefined),
  }
}

function writeModule(): string {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json')
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>
  }>
  const { features } = feature(topology, topology.objects.countries)
  const countries = features.flatMap(({ id, properties, geometry }) => {
    const code = codeOf(id, properties.name)
    if (code === 'AQ') return []
    const polygons = geometry.type === 'MultiPolygon' ? geometry.coordinates : []
    const all = geometry.type === 'Polygon' ? [geometry.coordinates] : polygons
    return [[code, all.flat().map(pathOf).join('')] as const]
  })
  const height = Math.ceil(yOf(SOUTH) - yOf(84))
  return `export const WORLD = ${JSON.stringify({ width: WIDTH, height, countries })}`
}

/** Outlines have the number of ISO 3166-1; what has none is no country there. */
function codeOf(id: string | number | undefined, name: string): string {
  if (id === undefined) return name === 'Kosovo' ? 'XK' : ''
  const [locale = ''] = Intl.getCanonicalLocales(`und-${String(id).padStart(3, '0')}`)
  return locale.slice('und-'.length)
}

/** Land that goes on beyond the date line goes on beyond the edge of the map, rather than back across all of it. */
function unwrap(ring: readonly (readonly number[])[]): readonly Point[] {
  let before = ring[0]?.[0] ?? 0
  return ring.map(([longitude = 0, latitude = 0]) => {
    before = longitude - 360 * Math.round((longitude - before) / 360)
    return [before, latitude]
  })
}

/** Each point from the one before, in whole units: half as long as where each is. */
function pathOf(ring: readonly (readonly number[])[]): string {
  const points = unwrap(ring).map(([longitude, latitude]) => project(longitude, latitude))
  const [[x, y] = [0, 0], ...rest] = points
  const steps = rest.map((point, at) => {
    const [fromX, fromY] = points[at] ?? [0, 0]
    return [point[0] - fromX, point[1] - fromY]
  })
  const moved = steps.filter(([dx, dy]) => dx !== 0 || dy !== 0)
  return `M${x} ${y}l${moved.map(([dx, dy]) => `${dx} ${dy}`).join(' ')}z`
}

/** Coefficients of the Equal Earth projection (Šavrič, Patterson, Jenny 2018): areas are as large as they are. */
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796] as const
const M = Math.sqrt(3) / 2

function project(longitude: number, latitude: number): Point {
  const t = Math.asin(M * Math.sin(latitude * DEGREE))
  const t2 = t * t
  const t6 = t2 ** 3
  const x = (longitude * DEGREE * Math.cos(t)) / (M * (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2)))
  return [Math.round(WIDTH / 2 + x * scale()), Math.round(yOf(latitude) - yOf(84))]
}

function yOf(latitude: number): number {
  const t = Math.asin(M * Math.sin(latitude * DEGREE))
  const t2 = t * t
  const t6 = t2 ** 3
  return -t * (A1 + A2 * t2 + t6 * (A3 + A4 * t2)) * scale()
}

/** The equator is as long as the map is wide. */
function scale(): number {
  return WIDTH / ((2 * Math.PI) / (M * A1))
}
