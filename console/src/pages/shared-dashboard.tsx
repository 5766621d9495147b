import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { createResource, type JSX, Show } from 'solid-js'
import { formatRange } from '../app/format.ts'
import { askBefore, usualPeriod } from '../dashboard/ask-before.ts'
import { TileGrid } from '../dashboard/tile-grid.tsx'
import type { RangeMs } from '../insight/days.ts'
import { rangeOf, toTimeRange } from '../insight/range.ts'
import { sharedDashboardsClient } from '../rpc/clients/shared-dashboards.ts'
import { Async, readyOf } from '../ui/async.tsx'

/** A public page does not tell the project's time zone. */
const TIME_ZONE = 'UTC'

async function ask(shareId: string, range?: RangeMs): Promise<RenderedDashboard | undefined> {
  const timeRange = range && toTimeRange(range)
  return (await sharedDashboardsClient.query({ shareId, ...(timeRange && { timeRange }) })).dashboard
}

/** A dashboard for anyone who has its link. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [shared, { refetch }] = createResource(
    () => props.shareId,
    async (shareId) => {
      const dashboard = await ask(shareId)
      document.title = `${dashboard?.displayName ?? ''} · Millrace`
      if (!dashboard) return undefined
      return { dashboard, range: rangeOf(usualPeriod(dashboard), { nowMs: Date.now(), timeZone: TIME_ZONE }) }
    },
  )
  const [before] = createResource(
    () => readyOf(shared),
    async ({ dashboard, range }) =>
      await askBefore(dashboard, range, async (asked) => await ask(props.shareId, asked)),
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
                  {formatRange(loaded().range, TIME_ZONE)}, times in {TIME_ZONE}
                </p>
              </div>
            </header>
            <TileGrid
              dashboard={loaded().dashboard}
              before={readyOf(before) ?? new Map()}
              timeZone={TIME_ZONE}
            />
          </>
        )}
      </Async>
    </main>
  )
}
