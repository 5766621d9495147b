import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { SharedDashboardsService } from '@contract/public/dashboards/v1/shared_dashboards_service_pb.js'
import { createResource, type JSX, Show } from 'solid-js'
import { defaultPeriod, queryPrevious } from '../dashboards/previous-answers.ts'
import { TileGrid } from '../dashboards/tile-grid.tsx'
import { formatRange } from '../format/values.ts'
import { rangeOfPeriod } from '../insights/period.ts'
import { clientOf } from '../rpc/client.ts'
import { Async, readyOf } from '../ui/async.tsx'

const sharedDashboardsClient = clientOf(SharedDashboardsService)

/** A dashboard and the time zone of its buckets. */
interface Shared {
  readonly dashboard: RenderedDashboard | undefined
  readonly timeZone: string
}

async function readShared(shareId: string, period: 'current' | 'previous'): Promise<Shared> {
  let timeZone = 'UTC'
  const { dashboard } = await sharedDashboardsClient.query(
    { shareId, previousPeriod: period === 'previous' },
    {
      onHeader: (header) => {
        timeZone = header.get('x-time-zone') ?? timeZone
      },
    },
  )
  return { dashboard, timeZone }
}

/** The public page of a dashboard. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [shared, { refetch }] = createResource(
    () => props.shareId,
    async (shareId) => {
      const { dashboard, timeZone } = await readShared(shareId, 'current')
      document.title = `${dashboard?.displayName ?? ''} · Millrace`
      if (!dashboard) return undefined
      const range = rangeOfPeriod(defaultPeriod(dashboard), { nowMs: Date.now(), timeZone })
      return { dashboard, timeZone, range }
    },
  )
  const [previous] = createResource(
    () => readyOf(shared),
    async ({ dashboard, range }) =>
      await queryPrevious(
        dashboard,
        range,
        async () => (await readShared(props.shareId, 'previous')).dashboard,
      ),
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
              previous={readyOf(previous) ?? new Map()}
              timeZone={loaded().timeZone}
            />
          </>
        )}
      </Async>
    </main>
  )
}
