import { useQuery } from '@tanstack/solid-query'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createEffect, createSignal, type JSX, Match, Switch } from 'solid-js'
import { isShareEnded, sourceOfGuest } from '../../dashboards/guest-answers.ts'
import type { Share, ShareSource } from '../../dashboards/shared-answers.ts'
import { SharedBoard } from '../../dashboards/shared-board.tsx'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'

/** A dashboard that is shared with a guest. */
export function GuestBoardPage(props: { readonly orgId: string; readonly dashboardId: string }): JSX.Element {
  // The share ends while the page is open.
  const [isOver, setOver] = createSignal(false)
  const source = (): ShareSource => sourceOfGuest(props)
  const stored = useQuery(() => ({
    queryKey: source().key,
    queryFn: async ({ signal }) => await source().read({}, signal),
    staleTime: 0,
  }))
  const share = (): Share | undefined => (stored.isSuccess ? stored.data : undefined)
  createEffect(() => {
    document.title = `${share()?.dashboard.displayName ?? t('shell.shared')} · Millrace`
  })
  return (
    <div class="board shared-board" data-page="full">
      <Switch fallback={<SkeletonLines count={8} />}>
        <Match when={isOver() || (stored.isError && isShareEnded(stored.error))}>
          <EmptyState
            title={t('dashboards.shareEndedTitle')}
            text={t('dashboards.shareEndedText')}
            actions={<ButtonLink href="/shared">{t('shell.shared')}</ButtonLink>}
          />
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
            <SharedBoard
              source={source()}
              share={shown()}
              head={<BoardNames name={shown().dashboard.displayName} />}
              isOver={isShareEnded}
              onOver={() => setOver(true)}
            />
          )}
        </Match>
      </Switch>
    </div>
  )
}

function BoardNames(props: { readonly name: string }): JSX.Element {
  return (
    <nav class="board-names" aria-label={t('dashboards.breadcrumb')}>
      <a class="board-parent" href="/shared">
        {t('shell.shared')}
      </a>
      <ChevronRight />
      <h1 class="ui-ellipsis">{props.name}</h1>
    </nav>
  )
}
