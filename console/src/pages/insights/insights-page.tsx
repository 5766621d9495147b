import { createMemo, type JSX, lazy, Show } from 'solid-js'
import { currentLocation } from '../../context/router.ts'

const InsightsList = lazy(async () => ({ default: (await import('./insights-list.tsx')).InsightsList }))
const BuilderPage = lazy(async () => ({ default: (await import('./builder-page.tsx')).BuilderPage }))

/** The insights of the project, or the builder for the one of the address. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  const isBuilder = createMemo(() => {
    const { query } = currentLocation()
    return query.has('spec') || query.has('new') || query.has('tile')
  })
  return (
    <Show when={isBuilder()} fallback={<InsightsList />}>
      <BuilderPage />
    </Show>
  )
}
