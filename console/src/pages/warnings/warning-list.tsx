import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { IngestionWarning } from '@contract/millrace/ingest/v1/warnings_service_pb.js'
import CircleCheck from 'lucide-solid/icons/circle-check'
import { type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatMoment, formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { EFFECTS, libraryOf, sourceOf, titleOf } from './warnings.ts'

/** A page of warnings. */
export function WarningList(props: {
  readonly warnings: readonly IngestionWarning[]
  readonly onOpen: (warning: IngestionWarning) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  useRowKeys()
  const Ago = (own: { readonly time: IngestionWarning['lastTime'] }): JSX.Element => (
    <Show when={own.time}>
      {(time) => (
        <time title={formatMoment(timestampMs(time()), workspace().timeZone)}>
          {formatAgo(timestampMs(time()), { nowMs: nowMs(), timeZone: workspace().timeZone })}
        </time>
      )}
    </Show>
  )
  const columns = (): readonly Column<IngestionWarning>[] => [
    {
      key: 'reason',
      title: t('warnings.reason'),
      kind: 'wide',
      cell: (warning) => (
        <span class="warnings-reason">
          <button type="button" class="warnings-open" onClick={() => props.onOpen(warning)}>
            {t(titleOf(warning.reason))}
          </button>
          <span class="ui-ellipsis">{warning.sample?.fields.join(', ')}</span>
        </span>
      ),
    },
    { key: 'effect', title: t('warnings.effect'), cell: (warning) => <EffectBadge warning={warning} /> },
    {
      key: 'source',
      title: t('warnings.source'),
      cell: (warning) => (
        <span class="warnings-source">
          {sourceOf(warning.dialect)}
          <small>{libraryOf(warning)}</small>
        </span>
      ),
    },
    {
      key: 'count',
      title: t('warnings.count'),
      kind: 'number',
      cell: ({ count }) => formatNumber(count),
    },
    { key: 'first', title: t('warnings.firstSeen'), cell: ({ firstTime }) => <Ago time={firstTime} /> },
    { key: 'last', title: t('warnings.lastSeen'), cell: ({ lastTime }) => <Ago time={lastTime} /> },
  ]
  return <Table label={t('warnings.label')} rows={props.warnings} columns={columns()} onOpen={props.onOpen} />
}

/** What became of the data of a warning, in a word. */
export function EffectBadge(props: { readonly warning: IngestionWarning }): JSX.Element {
  const found = (): (typeof EFFECTS)[number] | undefined =>
    EFFECTS.find(({ effect }) => effect === props.warning.effect)
  return <Show when={found()}>{(effect) => <Badge tone={effect().tone}>{t(effect().label)}</Badge>}</Show>
}

/** Nothing to warn of, or nothing that the filters select. */
export function NoWarnings(props: { readonly isFiltered: boolean }): JSX.Element {
  return (
    <Show
      when={props.isFiltered}
      fallback={
        <EmptyState icon={<CircleCheck />} title={t('warnings.none')} text={t('warnings.noneText')} />
      }
    >
      <EmptyState icon={<CircleCheck />} title={t('warnings.noMatch')} />
    </Show>
  )
}
