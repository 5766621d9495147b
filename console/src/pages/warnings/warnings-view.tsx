import type { IngestionWarning } from '@contract/millrace/ingest/v1/warnings_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, createMemo, type JSX, Match, on, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { createPaging, Pager } from '../../people/paged-list.tsx'
import { Select } from '../../ui/combobox.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import './messages.ts'
import { WarningDrawer } from './warning-drawer.tsx'
import { NoWarnings, WarningList } from './warning-list.tsx'
import './warnings.css'
import { readWarnings, WARNINGS_PER_PAGE, type WarningsQuery } from './read-warnings.ts'
import { EFFECTS, keyOf, SOURCES } from './warnings.ts'

const DAY_HOURS = 24
const WEEK_HOURS = 7 * DAY_HOURS

/** The list is read again while it is open: it shows at once what was corrected. */
const REREAD_MS = 15_000

/** What ingestion dropped, changed and refused; one warning open beside the list. */
export function WarningsView(): JSX.Element {
  const workspace = useWorkspace()
  const paging = createPaging()
  const parameter = (name: string): string => currentLocation().query.get(name) ?? ''
  const query = createMemo(
    (): WarningsQuery => ({
      source: parameter('source'),
      effect: parameter('effect'),
      hours: parameter('hours') === String(WEEK_HOURS) ? WEEK_HOURS : DAY_HOURS,
      pageToken: paging.token(),
    }),
  )
  createEffect(
    on(
      [() => query().source, () => query().effect, () => query().hours, () => workspace().project.id],
      paging.reset,
      { defer: true },
    ),
  )
  const list = useQuery(() => ({
    queryKey: ['warnings', workspace().project.id, query()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => await readWarnings(query(), signal),
    refetchInterval: REREAD_MS,
    structuralSharing: false,
  }))
  const opened = createMemo((): IngestionWarning | undefined => {
    const key = parameter('warning')
    if (key === '' || !list.isSuccess) return undefined
    return unwrap(list.data).warnings.find((warning) => keyOf(warning) === key)
  })
  return (
    <>
      <Filters query={query()} />
      <Switch fallback={<SkeletonLines count={12} heightPx={28} />}>
        <Match when={list.isError && list.error}>
          {(error) => (
            <ErrorState title={t('warnings.failed')} error={error()} onRetry={() => void list.refetch()} />
          )}
        </Match>
        <Match when={list.isSuccess && list.data.totalCount === 0}>
          <NoWarnings isFiltered={query().source !== '' || query().effect !== ''} />
        </Match>
        <Match when={list.isSuccess && list.data}>
          {(page) => (
            <section class="ui-card people-card">
              <WarningList
                warnings={unwrap(page()).warnings}
                onOpen={(warning) => replaceParameters({ warning: keyOf(warning) })}
              />
              <Pager
                paging={paging}
                pageSize={WARNINGS_PER_PAGE}
                shown={page().warnings.length}
                total={page().totalCount}
                nextToken={page().nextPageToken}
              />
            </section>
          )}
        </Match>
      </Switch>
      <Show when={opened()}>
        {(warning) => (
          <WarningDrawer warning={warning()} onClose={() => replaceParameters({ warning: '' })} />
        )}
      </Show>
    </>
  )
}

/** What the list has; in the address, so that a link has it too. */
function Filters(props: { readonly query: WarningsQuery }): JSX.Element {
  return (
    <div class="dictionary-line">
      <Select
        label={t('warnings.source')}
        labelDisplay="hidden"
        value={props.query.source}
        options={[{ value: '', label: t('warnings.anySource') }, ...SOURCES]}
        onChange={(source) => replaceParameters({ source, warning: '' })}
      />
      <Select
        label={t('warnings.effect')}
        labelDisplay="hidden"
        value={props.query.effect}
        options={[
          { value: '', label: t('warnings.anyEffect') },
          ...EFFECTS.map(({ value, label }) => ({ value, label: t(label) })),
        ]}
        onChange={(effect) => replaceParameters({ effect, warning: '' })}
      />
      <SegmentedControl
        label={t('warnings.period')}
        choices={[
          { value: String(DAY_HOURS), label: t('warnings.day') },
          { value: String(WEEK_HOURS), label: t('warnings.week') },
        ]}
        value={String(props.query.hours)}
        onChange={(hours) => replaceParameters({ hours, warning: '' })}
      />
    </div>
  )
}
