import { timestampMs } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@tanstack/solid-query'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import { createEffect, type JSX, Match, Show, Switch } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { navigate } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import type { Account } from '../../context/workspace.ts'
import { type GuestBoard, pathOfGuestBoard, queryOfGuestBoards } from '../../dashboards/guest-answers.ts'
import { formatAge } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'

/** The dashboards that are shared with the account. */
export function GuestList(props: { readonly account: Account }): JSX.Element {
  const asked = useQuery(() => queryOfGuestBoards(props.account))
  const hasProject = (): boolean => props.account.organisations.some(({ projects }) => projects.length > 0)
  createEffect(() => {
    document.title = `${t('shell.shared')} · Millrace`
  })
  useRowKeys()
  return (
    <div class="boards guest-boards" data-page="full">
      <PageBar>
        <h1>{t('shell.shared')}</h1>
        <Show when={!hasProject()}>
          <ButtonLink href="/organisations">{t('dashboards.organisations')}</ButtonLink>
        </Show>
      </PageBar>
      <Switch fallback={<SkeletonLines count={5} heightPx={28} />}>
        <Match when={asked.isError}>
          <ErrorState
            title={t('dashboards.failed')}
            error={asked.error}
            onRetry={() => void asked.refetch()}
          />
        </Match>
        <Match when={asked.data?.length === 0}>
          <EmptyState
            icon={<LayoutGrid />}
            title={t('dashboards.sharedNoneTitle')}
            text={t('dashboards.sharedNoneText')}
          />
        </Match>
        <Match when={asked.data}>
          {(boards) => (
            <div class="ui-card" data-padding="none">
              <Table
                label={t('shell.shared')}
                columns={columnsOf(props.account)}
                rows={boards()}
                onOpen={(board) => void navigate(pathOfGuestBoard(board))}
              />
            </div>
          )}
        </Match>
      </Switch>
    </div>
  )
}

function columnsOf({ organisations }: Account): readonly Column<GuestBoard>[] {
  const nowMs = createClock()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const organisationOf = (orgId: string): string =>
    organisations.find(({ org }) => org.id === orgId)?.org.displayName ?? ''
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (board) => (
        <span class="board-name-cell">
          <a class="ui-ellipsis" href={pathOfGuestBoard(board)}>
            {board.dashboard.displayName}
          </a>
          <span class="board-name-text ui-ellipsis">{board.dashboard.description}</span>
        </span>
      ),
    },
    {
      key: 'project',
      title: t('dashboards.project'),
      cell: ({ orgId, dashboard }) => (
        <span title={organisationOf(orgId)}>
          {organisations.length > 1
            ? `${dashboard.projectName} · ${organisationOf(orgId)}`
            : dashboard.projectName}
        </span>
      ),
    },
    {
      key: 'changed',
      title: t('dashboards.changed'),
      cell: ({ dashboard: { updateTime } }) =>
        updateTime ? formatAge(timestampMs(updateTime), { nowMs: nowMs(), timeZone }) : '',
    },
  ]
}
