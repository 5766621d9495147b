import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import ListPlus from 'lucide-solid/icons/list-plus'
import Plus from 'lucide-solid/icons/plus'
import Users from 'lucide-solid/icons/users'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { createClock } from '../../context/clock.ts'
import { useKeys } from '../../context/keys.ts'
import { navigate } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { cohortHref, newCohortHref } from './cohort-address.ts'
import { idCountOf } from './cohort-draft.ts'
import { PeopleTabs } from './people-tabs.tsx'

/** The cohorts of the project. */
export function CohortTable(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const list = createCohortList()
  const nowMs = createClock()
  useRowKeys()
  const mayCreate = (): boolean => may(CohortsService.method.create)
  const projectId = (): string => workspace().project.id
  if (mayCreate()) {
    const open = (): void => void navigate(newCohortHref(projectId(), 'dynamic'))
    useKeys([{ keys: 'n', label: t('cohorts.new'), run: open }])
  }
  return (
    <div class="cohorts-page" data-page="full">
      <PageBar>
        <h1>{t('people.title')}</h1>
        <Show when={mayCreate()}>
          <ButtonLink href={newCohortHref(projectId(), 'static')} icon={<ListPlus />}>
            {t('cohorts.newList')}
          </ButtonLink>
          <ButtonLink tone="primary" href={newCohortHref(projectId(), 'dynamic')} icon={<Plus />}>
            {t('cohorts.new')}
          </ButtonLink>
        </Show>
      </PageBar>
      <PeopleTabs value="cohorts" />
      <Switch fallback={<SkeletonLines count={6} heightPx={28} />}>
        <Match when={list.failure()}>
          {(error) => (
            <ErrorState title={t('cohorts.failed')} error={error()} onRetry={() => void list.reload()} />
          )}
        </Match>
        <Match when={list.cohorts()?.length === 0}>
          <EmptyState icon={<Users />} title={t('cohorts.none')} text={t('cohorts.noneText')} />
        </Match>
        <Match when={list.cohorts()}>
          {(cohorts) => (
            <section class="ui-card">
              <Table
                label={t('cohorts.title')}
                rows={cohorts()}
                columns={columnsOf(projectId(), { timeZone: workspace().timeZone, nowMs })}
                onOpen={({ id }) => navigate(cohortHref(projectId(), id))}
              />
            </section>
          )}
        </Match>
      </Switch>
    </div>
  )
}

function columnsOf(
  projectId: string,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: () => number },
): readonly Column<Cohort>[] {
  const kindOf = (cohort: Cohort): string => {
    const count = idCountOf(cohort)
    return count === undefined ? t('cohorts.dynamic') : t('cohorts.staticCount', { count })
  }
  const changed = ({ updateTime }: Cohort): string =>
    updateTime ? formatAgo(timestampMs(updateTime), { nowMs: nowMs(), timeZone }) : NO_VALUE
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: ({ id, name, description }) => (
        <span class="cohorts-name">
          <a href={cohortHref(projectId, id)}>{name}</a>
          <span>{description}</span>
        </span>
      ),
    },
    { key: 'kind', title: t('cohorts.kind'), cell: kindOf },
    { key: 'changed', title: t('cohorts.changed'), cell: changed },
  ]
}
