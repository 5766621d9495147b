import '../dashboards/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/solid-query'
import { createEffect, createSignal, type JSX, Match, Switch } from 'solid-js'
import { ShareUnlock } from '../dashboards/share-unlock.tsx'
import { isLocked, readShare, type Share, type ShareSource } from '../dashboards/shared-answers.ts'
import { SharedBoard } from '../dashboards/shared-board.tsx'
import { t } from '../i18n/translate.ts'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'

/** The public page of a dashboard. */
export function SharedDashboardPage(props: { readonly shareId: string }): JSX.Element {
  const [grant, setGrant] = createSignal('')
  // The grant ends while the page is open.
  const [isOver, setOver] = createSignal(false)
  const source = (): ShareSource => {
    const [shareId, proof] = [props.shareId, grant()]
    return {
      key: ['share', shareId, proof],
      read: async (view, signal) => await readShare({ ...view, shareId, grant: proof }, signal),
    }
  }
  const stored = useQuery(() => ({
    queryKey: source().key,
    queryFn: async ({ signal }) => await source().read({}, signal),
  }))
  const share = (): Share | undefined => (stored.isSuccess ? stored.data : undefined)
  createEffect(() => {
    const name = share()?.dashboard.displayName
    if (name !== undefined) document.title = `${name} · Millrace`
  })
  const queries = useQueryClient()
  const unlock = (unlocked: Share): void => {
    // The answer to the password is the dashboard already.
    queries.setQueryData(['share', props.shareId, unlocked.grant], unlocked)
    setGrant(unlocked.grant)
    setOver(false)
  }
  return (
    <main class="board shared-board">
      <Switch fallback={<SkeletonLines count={8} />}>
        <Match when={isOver() || (stored.isError && isLocked(stored.error))}>
          <ShareUnlock shareId={props.shareId} onUnlock={unlock} />
        </Match>
        <Match when={stored.isError}>
          <ErrorState
            title={t('dashboards.failed')}
            error={stored.error}
            onRetry={() => void stored.refetch()}
          />
        </Match>
        <Match when={share()}>
          {(shown) => (
            <SharedBoard source={source()} share={shown()} isOver={isLocked} onOver={() => setOver(true)} />
          )}
        </Match>
      </Switch>
    </main>
  )
}
