import { useQuery } from '@tanstack/solid-query'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import { For, type JSX } from 'solid-js'
import { currentLocation } from '../../context/router.ts'
import type { Account } from '../../context/workspace.ts'
import '../../dashboards/messages.ts'
import { pathOfGuestBoard, queryOfGuestBoards } from '../../dashboards/guest-answers.ts'
import { t } from '../../i18n/translate.ts'

/** More would not fit; the list has all. */
const LINKS_MAX = 20

/** The side bar of a user who sees only the dashboards that are shared with them. */
export function GuestNav(props: { readonly account: Account; readonly isFolded: boolean }): JSX.Element {
  const boards = useQuery(() => queryOfGuestBoards(props.account))
  const path = (): string => currentLocation().path
  return (
    <nav class="guest-nav" aria-label={t('shell.sections')}>
      <a
        class="section-link"
        href="/shared"
        data-tip={props.isFolded ? t('shell.shared') : undefined}
        aria-current={path() === '/shared' || path() === '/' ? 'page' : undefined}
      >
        <LayoutGrid />
        <span class="side-label">{t('shell.shared')}</span>
      </a>
      <For each={props.isFolded ? [] : (boards.data ?? []).slice(0, LINKS_MAX)}>
        {(board) => (
          <a
            class="section-link guest-link"
            href={pathOfGuestBoard(board)}
            aria-current={path() === pathOfGuestBoard(board) ? 'page' : undefined}
          >
            <span class="ui-ellipsis">{board.dashboard.displayName}</span>
          </a>
        )}
      </For>
    </nav>
  )
}
