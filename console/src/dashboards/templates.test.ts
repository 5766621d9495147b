import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { checkInsight } from '@domain/insights/insight-rules.ts'
import { describe, expect, test } from 'vitest'
import { COLUMNS, placeTiles } from './grid-layout.ts'
import { isPossible, makeTiles, overviewInsights, TEMPLATES, type TemplateName } from './templates.ts'
import { defaultSize, specOfTile } from './tile-view.ts'

const NAMES = Object.keys(TEMPLATES) as TemplateName[]
const events = (kinds: readonly string[], numbers: readonly string[] = []) => ({
  kinds,
  numbers,
  excludeBots: true,
})

const PROJECTS = {
  shop: events(['page_view', 'signup', 'trial_started', 'purchase'], ['quantity', 'amount']),
  'other names': events(['Screen View', 'User Signed Up', '$identify', 'Order Completed'], ['Total']),
  'no money': events(['$pageview', 'purchase']),
  'one event': events(['ping']),
} as const

const make = (name: TemplateName, project: keyof typeof PROJECTS) =>
  makeTiles(name, PROJECTS[project], (title) => title)

describe.each(Object.keys(PROJECTS) as (keyof typeof PROJECTS)[])('the templates for %s', (project) => {
  const possible = NAMES.filter((name) => isPossible(name, PROJECTS[project]))

  test.each(possible)('%s fills the grid without holes', (name) => {
    const placed = placeTiles(
      make(name, project).map((tile, index) => ({
        id: String(index),
        position: tile.position,
        defaultSize: defaultSize(tile),
      })),
    )
    const cells = placed.reduce((sum, { w, h }) => sum + w * h, 0)
    const rows = Math.max(...placed.map(({ y, h }) => y + h))
    expect(placed.map(({ x, y, w, h }) => ({ x, y, w, h }))).toEqual(
      expect.arrayContaining(
        make(name, project).map(({ position }) =>
          expect.objectContaining({ x: position?.x, y: position?.y }),
        ),
      ),
    )
    expect(cells).toBe(rows * COLUMNS)
  })

  test.each(possible)('%s has only queries that the service accepts', (name) => {
    for (const tile of make(name, project)) {
      const spec = specOfTile(tile)
      if (!spec) throw new Error('a tile has no query')
      expect(() => checkInsight(spec)).not.toThrow()
      expect(spec.excludeBots).toBe(true)
    }
  })
})

test('templates find the events of a project by their usual names', () => {
  const text = JSON.stringify(make('revenue', 'other names'), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  expect(text).toContain('Order Completed')
  expect(text).toContain('User Signed Up')
  expect(text).toContain('"aggregationProperty":"Total"')
})

test('retention of a template has weeks or months', () => {
  const widths = NAMES.flatMap((name) => make(name, 'shop')).flatMap(({ content }) =>
    content.case === 'insight' && content.value.spec?.insightType === InsightType.RETENTION
      ? [content.value.granularity]
      : [],
  )
  expect(widths.length).toBeGreaterThan(2)
  expect(widths.every((width) => width === Granularity.WEEK || width === Granularity.MONTH)).toBe(true)
})

test('a template needs the events that it is about', () => {
  expect(NAMES.filter((name) => isPossible(name, PROJECTS['one event']))).toEqual(['product', 'retention'])
  expect(NAMES.filter((name) => isPossible(name, events([])))).toEqual([])
})

test('the ready-made tiles have different names', () => {
  const titles = overviewInsights(PROJECTS.shop).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
