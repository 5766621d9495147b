import { createResource, type JSX, Show } from 'solid-js'
import { rpc } from '../rpc/clients.ts'
import { Async } from '../ui/async.tsx'
import { DashboardGrid } from './dashboard-grid.tsx'

/** A dashboard for anyone who has its link. It does not tell the project's time zone, so times are in UTC. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [shared, { refetch }] = createResource(
    () => props.shareId,
    async (shareId) => {
      const { dashboard } = await rpc.shared.query({ shareId })
      document.title = `${dashboard?.displayName ?? ''} · Millrace`
      return dashboard
    },
  )
  return (
    <main>
      <Async of={shared} retry={() => void refetch()} lines={10}>
        {(dashboard) => (
          <>
            <header class="page-head">
              <div>
                <h1>{dashboard().displayName}</h1>
                <Show when={dashboard().description}>{(text) => <p class="quiet">{text()}</p>}</Show>
              </div>
            </header>
            <DashboardGrid dashboard={dashboard()} timeZone="UTC" />
          </>
        )}
      </Async>
    </main>
  )
}
