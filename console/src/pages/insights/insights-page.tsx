import { createMemo, type JSX, Match, Switch } from 'solid-js'
import { currentLocation } from '../../context/router.ts'
import { readSaved } from '../../insights/query-address.ts'
import { lazy } from '../../ui/lazy.ts'

const InsightsList = lazy(async () => ({ default: (await import('./insights-list.tsx')).InsightsList }))
const BuilderPage = lazy(async () => ({ default: (await import('./builder-page.tsx')).BuilderPage }))
const OpenSavedInsight = lazy(async () => ({
  default: (await import('../../library/open-saved.tsx')).OpenSavedInsight,
}))

/** The insights of the project, or the builder for the one of the address. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  const opened = createMemo(() => {
    const { query } = currentLocation()
    return query.has('spec') ? undefined : readSaved(query)
  })
  const isBuilder = createMemo(() => {
    const { query } = currentLocation()
    return query.has('spec') || query.has('new') || query.has('tile')
  })
  return (
    <Switch fallback={<InsightsList />}>
      <Match when={opened()} keyed>
        {(id) => <OpenSavedInsight id={id} />}
      </Match>
      <Match when={isBuilder()}>
        <BuilderPage />
      </Match>
    </Switch>
  )
}
