import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { SharedDashboardsService } from '@contract/public/dashboards/v1/shared_dashboards_service_pb.js'
import { createResource, type JSX, Show } from 'solid-js'
import { formatRange } from '../app/format.ts'
import { askBefore, defaultPeriod } from '../dashboard/ask-before.ts'
import { TileGrid } from '../dashboard/tile-grid.tsx'
import { rangeOfPeriod } from '../insight/period.ts'
import { clientOf } from '../rpc/client.ts'
import { Async, readyOf } from '../ui/async.tsx'

/** A dashboard, and the zone whose days its buckets are. */
interface Shared {
  readonly dashboard: RenderedDashboard | undefined
  readonly timeZone: string
}

async function ask(shareId: string, period: 'shown' | 'before'): Promise<Shared> {
  let timeZone = 'UTC'
  const { dashboard } = await clientOf(SharedDashboardsService).query(
    { shareId, previousPeriod: period === 'before' },
    {
      onHeader: (header) => {
        timeZone = header.get('x-time-zone') ?? timeZone
      },
    },
  )
  return { dashboard, timeZone }
}

/** A dashboard for anyone who has its link. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [shared, { refetch }] = createResource(
    () => props.shareId,
    async (shareId) => {
      const { dashboard, timeZone } = await ask(shareId, 'shown')
      document.title = `${dashboard?.displayName ?? ''} · Millrace`
      if (!dashboard) return undefined
      const range = rangeOfPeriod(defaultPeriod(dashboard), { nowMs: Date.now(), timeZone })
      return { dashboard, timeZone, range }
    },
  )
  const [before] = createResource(
    () => readyOf(shared),
    async ({ dashboard, range }) =>
      await askBefore(dashboard, range, async () => (await ask(props.shareId, 'before')).dashboard),
  )
  return (
    <main>
      <Async of={shared} retry={() => void refetch()} lines={10}>
        {(loaded) => (
          <>
            <header class="page-head">
              <div>
                <h1>{loaded().dashboard.displayName}</h1>
                <Show when={loaded().dashboard.description}>{(text) => <p class="quiet">{text()}</p>}</Show>
                <p class="quiet small">
                  {formatRange(loaded().range, loaded().timeZone)}, times in {loaded().timeZone}
                </p>
              </div>
            </header>
            <TileGrid
              dashboard={loaded().dashboard}
              before={readyOf(before) ?? new Map()}
              timeZone={loaded().timeZone}
            />
          </>
        )}
      </Async>
    </main>
  )
}
