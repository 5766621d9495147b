import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialog, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import {
  type ConsolePage,
  openConsolePage,
  openProject,
  signInProgram,
  withoutRefusals,
} from './harness/console-page.ts'
import { makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { readShift, SHIFT_MAX, watchShifts } from './harness/layout-shift.ts'
import type { TestService } from './harness/service.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const SHARED = 'public.dashboards.v1.SharedDashboardsService/Query'

const trends = { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] }
const purchases = { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind: 'purchase' } }] }

const TILES = [
  { displayName: 'Visits', position: { x: 0, y: 0, w: 8, h: 7 }, insight: { spec: trends } },
  { displayName: 'Purchases', position: { x: 8, y: 0, w: 4, h: 4 }, insight: { spec: purchases } },
  { displayName: 'Read me', markdown: { body: 'It is **good**.' } },
]

/** The parts of a canvas that a test reads; tests are compiled without the types of browsers. */
interface PixelSource {
  getImageData(x: number, y: number, width: number, height: number): { readonly data: ArrayLike<number> }
}

interface StoredTile {
  readonly displayName: string
  readonly position?: Readonly<Record<string, number>>
}

describe.skipIf(!hasChromium())('dashboards of the console', () => {
  let service: TestService
  let opened: ConsolePage
  let base: string
  let headers: Record<string, string>
  let id: string

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsolePage({ width: 1280, height: 900, colorScheme: 'light' })
    base = await openProject(opened.page, service.url)
    headers = await signInProgram(service, base)
    id = await store({ displayName: 'Growth', tiles: TILES })
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const store = async (dashboard: object): Promise<string> => {
    const { status, body } = await service.call(`${DASHBOARDS}/Upsert`, dashboard, headers)
    expect([status, body]).toEqual([200, expect.anything()])
    return (body.dashboard as { readonly id: string }).id
  }

  const readTiles = async (of = id): Promise<readonly (StoredTile & Record<string, unknown>)[]> => {
    const { body } = await service.call(`${DASHBOARDS}/Get`, { id: of }, headers)
    return (body.dashboard as { readonly tiles: readonly StoredTile[] }).tiles as never
  }

  const open = async (): Promise<void> => {
    await opened.page.goto(`${base}/dashboards/${id}`)
    await opened.page.locator('.tile .uplot').waitFor()
  }

  /** Chooses a row of the menu of a tile. */
  const chooseAction = async (tile: string, action: string): Promise<void> => {
    await opened.page.getByRole('button', { name: `Actions for tile ${tile}`, exact: true }).click()
    await opened.page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  const boxOf = async (title: string) => {
    const box = await opened.page.getByRole('region', { name: title, exact: true }).first().boundingBox()
    if (!box) throw new Error(`${title} is not there`)
    return box
  }

  test('have their tiles where they are stored, and the others where there is room', async () => {
    await open()
    const [visits, sales, text] = [await boxOf('Visits'), await boxOf('Purchases'), await boxOf('Read me')]
    expect(Math.round(sales.y)).toBe(Math.round(visits.y))
    expect(visits.height).toBeCloseTo(7 * 40 + 6 * 16, 0)
    expect(sales.width * 2).toBeCloseTo(visits.width - 16, 0)
    // The text has no place of its own: it is where there is room, below the number.
    expect(text.x).toBeCloseTo(sales.x, 0)
    expect(text.y).toBeCloseTo(sales.y + sales.height + 16, 0)
    expect(await findBarriers(opened.page)).toEqual([])
  })

  test('move tiles with the arrow keys, announce their position and store it', async () => {
    const { page } = opened
    await open()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Move Purchases' }).focus()
    for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    await page
      .getByText('Purchases: columns 7 to 10 of 12, row 1, 4 rows high')
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Resize Purchases' }).focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
    await page
      .getByText('Purchases: columns 7 to 12 of 12, row 1, 5 rows high')
      .waitFor({ state: 'attached' })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect(await readTiles()).toMatchObject([
      { displayName: 'Visits', position: { y: 5, w: 8, h: 7 } },
      { displayName: 'Purchases', position: { x: 6, w: 6, h: 5 } },
      { displayName: 'Read me' },
    ])
  })

  test('move tiles by dragging, and discard the move on Cancel', async () => {
    const { page } = opened
    await open()
    const before = await boxOf('Visits')
    const dragged = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const handle = await page.getByRole('button', { name: 'Move Visits' }).boundingBox()
      if (!handle) throw new Error('there is no handle')
      const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 40, y - 100, { steps: 4 })
      await page.mouse.move(x + 40, y - 5 * 56, { steps: 4 })
      await page.mouse.up()
    }
    await dragged()
    const moved = await boxOf('Visits')
    expect(moved.y).toBeLessThan(before.y - 4 * 56)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await boxOf('Visits')).toEqual(before)
    await dragged()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const [visits, sales] = await readTiles()
    expect(visits?.position).toMatchObject({ w: 8, h: 7 })
    expect(visits?.position?.y ?? 0).toBe(0)
    expect(sales?.position?.y).toBe(7)
  })

  test('ask before an unsaved arrangement is left by a link, the history or the browser', async () => {
    const { page } = opened
    await store({ displayName: 'Unsaved', tiles: TILES })
    await page.goto(`${base}/dashboards`)
    await page.getByRole('link', { name: 'Unsaved' }).click()
    await page.locator('.tile .uplot').waitFor()
    const address = page.url()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Move Purchases' }).focus()
    await page.keyboard.press('ArrowLeft')
    const asked: string[] = []
    const stay = async (dialog: Dialog): Promise<void> => {
      asked.push(dialog.type())
      await dialog.dismiss()
    }
    page.on('dialog', stay)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await expect.poll(() => asked).toEqual(['confirm'])
    await page.evaluate('history.back()')
    await expect.poll(() => asked).toEqual(['confirm', 'confirm'])
    await page.evaluate('setTimeout(() => location.reload())')
    await expect.poll(() => asked).toEqual(['confirm', 'confirm', 'beforeunload'])
    expect(page.url()).toBe(address)
    await page.getByText('Purchases: columns 8 to 11 of 12').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    expect(asked.length).toBe(3)
    page.off('dialog', stay)
  })

  test('resize tiles by dragging their corner', async () => {
    const { page } = opened
    await open()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const corner = await page.getByRole('button', { name: 'Resize Visits' }).boundingBox()
    if (!corner) throw new Error('there is no corner')
    await page.mouse.move(corner.x + 10, corner.y + 10)
    await page.mouse.down()
    await page.mouse.move(corner.x + 10, corner.y + 10 + 56, { steps: 4 })
    await page.mouse.up()
    await page.getByText('Visits: columns 1 to 8 of 12, row 1, 8 rows high').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect((await readTiles())[0]?.position).toMatchObject({ h: 8 })
  })

  test('show trends as a pie when chosen, also through a shared link', async () => {
    const { page } = opened
    const parts = { ...trends, breakdowns: [{ property: '$browser' }] }
    const users = [{ ...trends.events[0], aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }]
    const mode = { viewMode: 'DASHBOARD_TILE_VIEW_MODE_PIE' }
    const round = await store({
      displayName: 'Round',
      tiles: [
        { displayName: 'Browsers', insight: { spec: parts }, ...mode },
        { displayName: 'Users', insight: { spec: { ...parts, events: users } }, ...mode },
      ],
    })
    const shared = await service.call(`${DASHBOARDS}/Update`, { id: round, isPublic: true }, headers)
    const { shareId } = shared.body.dashboard as { readonly shareId: string }
    for (const address of [`${base}/dashboards/${round}`, `${service.url}/share/${shareId}`]) {
      await page.goto(address)
      const pie = page.getByRole('region', { name: 'Browsers', exact: true }).locator('.pie-legend li')
      await pie.first().getByText(/%$/).waitFor()
      await page.getByRole('region', { name: 'Users', exact: true }).locator('.uplot').waitFor()
      expect(await findBarriers(page)).toEqual([])
    }
    const { body } = await service.call(SHARED, { shareId, allTime: true })
    const day = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const
    const locale = String(await page.evaluate('navigator.language'))
    const first = new Date(String(body.firstDate)).toLocaleDateString(locale, day)
    await page.goto(`${service.url}/share/${shareId}?range=all-time`)
    await page.getByRole('button', { name: new RegExp(`^All time\\s*${first}`) }).waitFor()
  })

  test('have tiles with thresholds and a comparison, set in an editor, and state in words how values compare', async () => {
    const { page } = opened
    await open()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await chooseAction('Purchases', 'Rename and display…')
    const editor = page.getByRole('dialog', { name: 'Tile' })
    await editor.getByRole('button', { name: 'Add threshold' }).click()
    await editor.getByLabel('Value', { exact: true }).fill('1')
    await editor.getByRole('checkbox', { name: 'Compare to previous period' }).check()
    expect(await findBarriers(page)).toEqual([])
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    const tile = page.getByRole('region', { name: 'Purchases', exact: true }).first()
    await tile.getByText('Good', { exact: true }).waitFor()
    await tile.getByText(/^vs [\d.,]+\S*$/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect((await readTiles())[1]).toMatchObject({
      compare: 'COMPARE_PERIOD_PRIOR',
      thresholds: [{ operator: 'OPERATOR_GTE', value: 1, tone: 'TONE_GOOD' }],
    })
    expect(await findBarriers(page)).toEqual([])
  })

  /** A dashboard of its own, whose tile has its query open in the builder. */
  const openQuestion = async (title: string) => {
    const { page } = opened
    const rules = [{ operator: 'OPERATOR_GTE', value: 5, tone: 'TONE_GOOD' }]
    const visits = { ...TILES[0], displayName: title, thresholds: rules }
    const board = { displayName: `Board of ${title}`, tiles: [visits, TILES[2]] }
    const of = await store(board)
    await page.goto(`${base}/dashboards/${of}?range=last-14-days`)
    await page.locator('.tile .uplot').waitFor()
    await chooseAction(title, 'Edit insight')
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByRole('link', { name: `Board of ${title}` }).waitFor()
    await page.locator('.uplot').waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe('last-14-days')
    await page.getByRole('button', { name: 'page_view, change event' }).click()
    await page.getByRole('option', { name: /^sign_up/ }).click()
    await page.getByRole('rowheader', { name: 'sign_up' }).waitFor()
    /** Stores other tiles, as another editor would meanwhile. */
    const storeMeanwhile = async (tiles: readonly object[]): Promise<void> => {
      await store({ ...board, id: of, tiles })
    }
    return { page, of, storeMeanwhile, save: page.getByRole('button', { name: 'Save to tile' }) }
  }

  const events = (kind: string) => [{ event: { kind } }]

  test('change the query of a tile in the builder, and nothing else of it', async () => {
    const { page, of, save } = await openQuestion('Growth of visits')
    const before = await readTiles(of)
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await watchShifts(page)
    await page.getByRole('rowheader', { name: 'sign_up' }).waitFor()
    expect(await readShift(page)).toBeLessThan(SHIFT_MAX)
    await save.click()
    await page.waitForURL(`${base}/dashboards/${of}`)
    await page.getByText('Total events · sign_up · by day').waitFor()
    const [first, ...others] = await readTiles(of)
    expect(first).toMatchObject({ insight: { spec: { events: events('sign_up') } } })
    const kept = ['id', 'displayName', 'position', 'thresholds', 'viewMode', 'compare', 'createTime']
    expect(kept.map((name) => first?.[name])).toEqual(kept.map((name) => before[0]?.[name]))
    expect(others).toMatchObject([{ displayName: 'Read me', markdown: { body: 'It is **good**.' } }])
  })

  test('keep the query of a tile on Cancel', async () => {
    const { page, of } = await openQuestion('Kept')
    const before = await readTiles(of)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Total events · page_view · by day').waitFor()
    expect(await readTiles(of)).toEqual(before)
  })

  test('warn before they replace a tile that another user has changed', async () => {
    const { page, of, save, storeMeanwhile } = await openQuestion('Contested')
    const [tile] = await readTiles(of)
    const theirs = { ...trends, events: events('purchase') }
    await storeMeanwhile([{ id: tile?.id, displayName: 'Contested', insight: { spec: theirs } }])
    await save.click()
    await page.getByRole('alert').getByText('Someone else changed this query').waitFor()
    expect(await readTiles(of)).toMatchObject([{ insight: { spec: { events: events('purchase') } } }])
    await save.click()
    await page.waitForURL(`${base}/dashboards/${of}`)
    expect(await readTiles(of)).toMatchObject([{ insight: { spec: { events: events('sign_up') } } }])
  })

  test('show why a query cannot be stored', async () => {
    const { page, of, save, storeMeanwhile } = await openQuestion('Gone')
    await page.route('**/*DashboardsService/Upsert', async (route) => await route.abort(), { times: 1 })
    await save.click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.unrouteAll()
    await storeMeanwhile([])
    await save.click()
    await page.getByRole('alert').getByText('no longer on its dashboard').waitFor()
    expect(await readTiles(of)).toBeUndefined()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('that are deleted lead to the others', async () => {
    const { page } = opened
    await page.goto(`${base}/dashboards/00000000-0000-4000-8000-000000000000`)
    await page.getByText('There is no such dashboard').waitFor()
    await page.getByRole('link', { name: 'All dashboards' }).click()
    await page.getByRole('link', { name: 'Growth' }).first().waitFor()
  })

  test('that are deleted, and tiles that are, lead back from the query of a tile', async () => {
    const { page, of } = await openQuestion('Short-lived')
    const gone = '00000000-0000-4000-8000-000000000000'
    await page.goto(`${base}/insights?${new URLSearchParams({ dashboard: of, tile: gone })}`)
    await page.getByText('This tile is no longer on its dashboard').waitFor()
    await page.getByRole('link', { name: 'Open dashboard' }).click()
    await page.waitForURL(`${base}/dashboards/${of}`)
    await page.goto(`${base}/insights?${new URLSearchParams({ dashboard: gone, tile: gone })}`)
    await page.getByText('There is no such dashboard').waitFor()
    await page.getByRole('link', { name: 'All dashboards' }).click()
    await page.waitForURL(`${base}/dashboards`)
  })

  test('have a name and an initial range, which can be changed', async () => {
    const { page } = opened
    await open()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Dashboard settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Dashboard settings' })
    await dialog.getByLabel('Name', { exact: true }).fill('Growth of the shop')
    await dialog.getByRole('button', { name: /^Opens with/ }).click()
    await page.getByRole('option', { name: 'Last 14 days' }).click()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Growth of the shop' }).waitFor()
    await page.getByRole('button', { name: /^Last 14 days/ }).waitFor()
  })

  /** The share of the pixels of a chart that a band of a good threshold is on, in light colours. */
  const countGreen = async (title: string): Promise<number> => {
    await opened.page.emulateMedia({ colorScheme: 'light' })
    const canvas = opened.page.getByRole('region', { name: title, exact: true }).first().locator('canvas')
    return await canvas.evaluate((element) => {
      const { width, height } = element as unknown as { readonly width: number; readonly height: number }
      const context = (element as unknown as { getContext(kind: '2d'): PixelSource }).getContext('2d')
      const { data } = context.getImageData(0, 0, width, height)
      const isGreen = (at: number): boolean =>
        (data[at + 3] ?? 0) > 0 && (data[at + 1] ?? 0) - (data[at] ?? 0) > 8
      const pixels = Array.from({ length: width * height }, (_, index) => index * 4)
      return pixels.filter(isGreen).length / pixels.length
    })
  }

  test('show the first lines of a long description, and the rest on demand', async () => {
    const { page } = opened
    const description = 'All that there is to tell about these numbers. '.repeat(64).trim()
    const of = await store({ displayName: 'Described', description, tiles: [TILES[0]] })
    await page.goto(`${base}/dashboards/${of}`)
    await page.locator('.tile .uplot').waitFor()
    const heightOf = async () => (await page.locator('.board-description > p').boundingBox())?.height ?? 0
    expect(await heightOf()).toBeLessThan(80)
    await page.getByRole('button', { name: 'Show more' }).click()
    expect(await heightOf()).toBeGreaterThan(150)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Show less' }).click()
    expect(await heightOf()).toBeLessThan(80)
    await store({ id: of, displayName: 'Described', description: 'Short.', tiles: [TILES[0]] })
    await page.reload()
    await page.getByText('Short.').waitFor()
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  test('draw thresholds as bands behind the lines of a chart', async () => {
    const rules = [{ operator: 'OPERATOR_GTE', value: 0.5, tone: 'TONE_GOOD' }]
    const lines = { insight: { spec: trends }, viewMode: 'DASHBOARD_TILE_VIEW_MODE_LINE' }
    const other = await store({
      displayName: 'Goals',
      tiles: [
        { ...lines, displayName: 'With a goal', thresholds: rules },
        { ...lines, displayName: 'Without one' },
      ],
    })
    await opened.page.goto(`${base}/dashboards/${other}`)
    await opened.page.locator('.uplot').nth(1).waitFor()
    expect(await countGreen('With a goal')).toBeGreaterThan(0.3)
    expect(await countGreen('Without one')).toBeLessThan(0.05)
  })

  test('have a range and a comparison above all tiles, which are in the address', async () => {
    const { page } = opened
    await page.goto(`${base}/dashboards/${id}?range=2026-01-01..2026-01-31`)
    await page.getByRole('group', { name: 'Choose a date range' }).getByText(/Jan/).waitFor()
    await page.getByRole('button', { name: 'Each tile’s comparison' }).click()
    await page.getByRole('menuitemradio', { name: 'Previous year' }).click()
    await page.waitForURL((url) => url.searchParams.get('compare') === 'year')
    await page.getByText('comparison of the dashboard').first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Previous year' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Each tile’s comparison' }).waitFor()
  })

  test('narrow all tiles by filters of the address, and mark tiles with filters of their own', async () => {
    const { page } = opened
    const filter = { property: '$browser', operator: 'FILTER_OPERATOR_EQUALS', value: 'Safari' }
    const bodyOf = (request: Request): string => request.postDataBuffer()?.toString('latin1') ?? ''
    // The page before may still ask for tiles of its own.
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('InsightsService/Query') && bodyOf(request).includes('Safari'),
    )
    await page.goto(`${base}/dashboards/${id}?${new URLSearchParams({ filters: JSON.stringify([filter]) })}`)
    await asked
    await page.getByRole('group', { name: 'Filters of all tiles' }).getByText('Safari').waitFor()
    await page.locator('.tile .uplot').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: /^Remove filter/ }).click()
    await page.waitForURL((url) => !url.searchParams.has('filters'))
  })

  test('show each tile as soon as it is answered, and one that fails by itself', async () => {
    const { page } = opened
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/*InsightsService/Query', async (route) => {
      const asked = route.request().postDataBuffer()?.toString('latin1') ?? ''
      if (asked.includes('page_view')) await held
      if (asked.includes('sign_up')) await route.abort()
      else await route.continue()
    })
    const kinds = ['page_view', 'sign_up', 'purchase']
    const tiles = kinds.map((kind, at) => ({
      displayName: kind,
      position: { x: at * 4, y: 0, w: 4, h: 6 },
      insight: { spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind } }] } },
    }))
    const three = await store({ displayName: 'Three', tiles })
    await page.goto(`${base}/dashboards/${three}`)
    const tileOf = (name: string) => page.getByRole('region', { name, exact: true }).first()
    await tileOf('purchase').locator('.kpi').waitFor()
    expect(await tileOf('page_view').locator('.kpi').count()).toBe(0)
    release()
    await tileOf('page_view').locator('.kpi').waitFor()
    await tileOf('sign_up').getByText('This tile could not be loaded').waitFor()
    await page.unrouteAll()
    await tileOf('sign_up').getByRole('button', { name: 'Try again' }).click()
    await tileOf('sign_up').locator('.kpi').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('duplicate and remove a tile from its menu, and put it back with Undo', async () => {
    const { page } = opened
    const two = await store({ displayName: 'Two', tiles: TILES.slice(0, 2) })
    await page.goto(`${base}/dashboards/${two}`)
    await page.locator('.tile .uplot').waitFor()
    await chooseAction('Purchases', 'Duplicate')
    await expect.poll(async () => (await readTiles(two)).length).toBe(3)
    // The hole below the number takes it.
    expect((await readTiles(two))[2]?.position).toMatchObject({ x: 8, y: 4, w: 4 })
    await chooseAction('Visits', 'Remove')
    await expect.poll(async () => (await readTiles(two)).length).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.tile .uplot').waitFor()
    expect((await readTiles(two)).map(({ displayName }) => displayName).sort()).toEqual([
      'Purchases',
      'Purchases',
      'Visits',
    ])
  })

  test('keep the text of a tile that could not be added, also when they are full', async () => {
    const { page } = opened
    const text = (at: number) => ({ displayName: `Text ${at}`, markdown: { body: 'x' } })
    const full = await store({ displayName: 'Full', tiles: Array.from({ length: 99 }, (_, at) => text(at)) })
    await page.goto(`${base}/dashboards/${full}`)
    const write = async (body: string): Promise<void> => {
      await page.getByRole('button', { name: 'Text', exact: true }).click()
      await page.getByLabel('Text in Markdown').fill(body)
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    }
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.route('**/*DashboardsService/Upsert', async (route) => await route.abort())
    await write('Written for minutes')
    await page.getByRole('dialog').getByRole('alert').getByText('cannot be reached').waitFor()
    expect(await page.getByLabel('Text in Markdown').inputValue()).toBe('Written for minutes')
    expect(await findBarriers(page)).toEqual([])
    await page.unrouteAll()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(async () => (await readTiles(full)).length).toBe(100)
    await write('One more')
    await page.getByRole('dialog').getByRole('alert').getByText('at most 100 tiles').waitFor()
    expect(await page.getByLabel('Text in Markdown').inputValue()).toBe('One more')
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('are made from a template with the events of the project', async () => {
    const { page } = opened
    await page.goto(`${base}/dashboards`)
    await page.getByRole('button', { name: /^Revenue/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: /^Revenue/ }).click()
    await page.getByRole('heading', { name: 'Revenue', exact: true, level: 1 }).waitFor()
    await page.locator('.tile .uplot').first().waitFor()
    const made = page.url().split('/').at(-1) ?? ''
    const specs = JSON.stringify(await readTiles(made))
    expect(specs).toContain('"aggregationProperty":"price"')
    expect(specs).toContain('GRANULARITY_MONTH')
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await page.getByRole('group', { name: 'Starred' }).getByRole('link', { name: 'Revenue' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete dashboard' }).click()
    await page.getByRole('button', { name: 'Delete dashboard' }).click()
    await page.waitForURL(`${base}/dashboards`)
    expect(await page.getByRole('group', { name: 'Starred' }).count()).toBe(0)
  })

  test('fit into their tiles, also after the window became narrower', async () => {
    const { page } = opened
    const events = ['page_view', 'sign_up'].map((kind) => ({ event: { kind } }))
    const lines = { insightType: 'INSIGHT_TYPE_TRENDS', events, breakdowns: [{ property: '$browser' }] }
    const small = await store({
      displayName: 'Small',
      tiles: [
        { displayName: 'Lines', position: { x: 0, y: 0, w: 5, h: 8 }, insight: { spec: lines } },
        {
          displayName: 'Newest',
          insight: { spec: trends },
          viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
          compare: 'COMPARE_PERIOD_PRIOR',
        },
      ],
    })
    /** Pixels by which what is drawn is higher or lower than its place. */
    const measure = async (box: string, content: string): Promise<number> =>
      await page.evaluate(
        `Math.abs(document.querySelector('${box}').clientHeight - document.querySelector('${content}').offsetHeight)`,
      )
    await page.goto(`${base}/dashboards/${small}`)
    await page.locator('.tile .uplot').waitFor()
    await page.getByText(/^vs [\d.,]+\S*$/).waitFor()
    for (const width of [1000, 1280, 1000]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(async () => await measure('.tile .chart', '.tile .uplot')).toBeLessThan(2)
    }
    const [number, line] = [
      await page.locator('.tile .kpi').boundingBox(),
      await page.locator('.tile .sparkline').boundingBox(),
    ]
    expect(line?.y).toBeGreaterThanOrEqual((number?.y ?? 0) + (number?.height ?? 0))
    const tile = await boxOf('Newest')
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(tile.y + tile.height)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('open without a layout shift', async () => {
    const { page } = opened
    await open()
    await page.reload()
    await watchShifts(page)
    await page.locator('.tile .uplot').waitFor()
    expect(await readShift(page)).toBeLessThan(SHIFT_MAX)
  })

  test('that are shared compare as well, and show anonymous readers no cost', async () => {
    const share = { id, isPublic: true, isRangePinned: true }
    const { body } = await service.call(`${DASHBOARDS}/Update`, share, headers)
    const { shareId } = body.dashboard as { readonly shareId: string }
    const reader = await openConsolePage({ width: 1280, height: 900, colorScheme: 'light' })
    try {
      const answered = reader.page.waitForResponse((response) => response.url().endsWith('/Query'))
      await reader.page.goto(`${service.url}/share/${shareId}`)
      expect((await answered).headers()).not.toHaveProperty('server-timing')
      await reader.page.getByText(/^vs [\d.,]+\S*$/).waitFor()
      expect(await findBarriers(reader.page)).toEqual([])
      expect(reader.complaints).toEqual([])
    } finally {
      await reader.browser.close()
    }
  })

  test('that are shared show days in the time zone of their project', async () => {
    const { body: mine } = await service.call('dashboard.projects.v1.ProjectsService/Get', {}, headers)
    const { orgId } = mine.project as { readonly orgId: string }
    const { body: made } = await service.call(
      'dashboard.projects.v1.ProjectsService/Create',
      { orgId, displayName: 'Far east', reportingTimezone: 'Pacific/Kiritimati' },
      headers,
    )
    const there = { ...headers, 'x-project-id': (made.project as { readonly id: string }).id }
    const board = {
      displayName: 'East',
      tiles: [{ displayName: 'Days', insight: { spec: trends }, viewMode: 'DASHBOARD_TILE_VIEW_MODE_LINE' }],
    }
    const { body: stored } = await service.call(`${DASHBOARDS}/Upsert`, board, there)
    const { id: east } = stored.dashboard as { readonly id: string }
    const shared = await service.call(`${DASHBOARDS}/Update`, { id: east, isPublic: true }, there)
    const { shareId } = shared.body.dashboard as { readonly shareId: string }
    await opened.page.goto(`${service.url}/share/${shareId}`)
    await opened.page.getByText('Times in Pacific/Kiritimati', { exact: true }).waitFor()
    expect(await findBarriers(opened.page)).toEqual([])
  })

  test('that are shared may expire, ask for a password, and be in a frame of another site', async () => {
    await service.call(`${DASHBOARDS}/Update`, { id, isPublic: true }, headers)
    const code = await setShareOptions()
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Another site</title>${code}`)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const reader = await openConsolePage({ width: 390, height: 844, colorScheme: 'dark' })
    try {
      await reader.page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
      const frame = reader.page.frameLocator('iframe')
      await frame.getByLabel('Password', { exact: true }).fill('wrong horse')
      await frame.getByRole('button', { name: 'Open dashboard' }).click()
      await frame.getByText('The password is wrong.').waitFor()
      await frame.getByLabel('Password', { exact: true }).fill('correct horse')
      await frame.getByRole('button', { name: 'Open dashboard' }).click()
      await frame.locator('.tile .uplot').first().waitFor()
      await reader.page.goto(code.match(/src="([^"]+)"/)?.[1] ?? '')
      await reader.page.getByRole('heading', { name: 'This dashboard has a password' }).waitFor()
      await expectToFit(reader.page)
      expect(await findBarriers(reader.page)).toEqual([])
    } finally {
      await reader.browser.close()
      site.close()
      await service.call(`${DASHBOARDS}/Update`, { id, isPublic: false, sharePassword: '' }, headers)
    }
  })

  /** Sets every option of the public link, and gives the embed code. */
  const setShareOptions = async (): Promise<string> => {
    const { page } = opened
    await open()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this dashboard' })
    await dialog.getByRole('switch', { name: 'Ask for a password' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill('correct horse')
    await dialog.getByRole('button', { name: 'Set password' }).click()
    await dialog.getByRole('button', { name: 'Change password' }).waitFor()
    await dialog.getByRole('button', { name: 'Expiry: Never' }).click()
    await page.getByRole('option', { name: 'In 7 days' }).click()
    await dialog.getByRole('button', { name: /^Expiry: Until / }).waitFor()
    await dialog.getByRole('switch', { name: 'Other sites may embed it' }).click()
    const code = await dialog.getByRole('textbox', { name: 'Embed code' }).inputValue()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    return code
  }

  test('are one column on a phone, with their description and nothing to drag', async () => {
    const { page } = opened
    await page.setViewportSize({ width: 360, height: 740 })
    await store({ id, displayName: 'Growth', description: 'How we are doing', tiles: await readTiles() })
    await open()
    await page.getByText('How we are doing').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    expect(await page.locator('.handle:visible').count()).toBe(0)
    await expectToFit(page)
    const [visits, sales] = [await boxOf('Visits'), await boxOf('Purchases')]
    expect([sales.x, sales.width]).toEqual([visits.x, visits.width])
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('cause no console errors and no requests to other hosts', () => {
    expect(withoutRefusals(opened.complaints).filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    expect(opened.requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
  })
})
