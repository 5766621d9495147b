import '../../dashboards/messages.ts'
import { type JSX, Show } from 'solid-js'
import type { Account } from '../../context/workspace.ts'
import { GuestBoardPage } from './guest-board.tsx'
import { GuestList } from './guest-list.tsx'

const BOARD_PATH = /^\/shared\/([^/]+)\/([^/]+)\/?$/

/** What a guest sees: the dashboards that are shared with them, or one of these. */
export function GuestPage(props: { readonly account: Account; readonly path: string }): JSX.Element {
  const board = (): { readonly orgId: string; readonly dashboardId: string } | undefined => {
    const [, orgId, dashboardId] = BOARD_PATH.exec(props.path) ?? []
    return orgId !== undefined && dashboardId !== undefined ? { orgId, dashboardId } : undefined
  }
  return (
    <Show when={board()} keyed fallback={<GuestList account={props.account} />}>
      {(shown) => <GuestBoardPage {...shown} />}
    </Show>
  )
}
