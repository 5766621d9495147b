import Copy from 'lucide-solid/icons/copy'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatMoment, formatRange } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { copyWithToast } from '../../people/copy-text.ts'
import type { KnownPerson } from '../../people/read-person.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { countIds, type IdMerge, listIds, type PersonId } from './person-ids.ts'

/** IDs that are shown before the list is expanded. */
const SHOWN = 6

/** Every ID whose events belong to the person, and when the anonymous ones were merged. */
export function IdsCard(props: { readonly person: KnownPerson }): JSX.Element {
  const [isWhole, setWhole] = createSignal(false)
  const ids = () => listIds(props.person)
  const hidden = (): number => ids().length - SHOWN
  const isCut = (): boolean => props.person.totalMergedIds > props.person.mergedIds.length
  return (
    <Card
      title={t('people.knownAs')}
      actions={
        <span class="person-quiet" data-tip={t('people.idsHint')}>
          {t('people.idCount', { count: countIds(props.person) })}
        </span>
      }
    >
      <ul class="person-ids">
        <For each={isWhole() ? ids() : ids().slice(0, SHOWN)}>{(one) => <IdRow of={one} />}</For>
      </ul>
      <Show when={isWhole() && isCut()}>
        <p class="person-quiet">
          {t('people.idsLimited', {
            count: props.person.mergedIds.length,
            total: props.person.totalMergedIds,
          })}
        </p>
      </Show>
      <Show when={hidden() > 0}>
        <Button size="small" tone="ghost" class="people-more" onClick={() => setWhole(!isWhole())}>
          {isWhole() ? t('people.showFewer') : t('people.showMore', { count: hidden() })}
        </Button>
      </Show>
    </Card>
  )
}

function IdRow(props: { readonly of: PersonId }): JSX.Element {
  return (
    <li>
      <code title={props.of.id}>{props.of.id}</code>
      <span>{t(props.of.kind)}</span>
      <IconButton
        size="small"
        tone="ghost"
        name={t('common.copy')}
        onClick={() => void copyWithToast(props.of.id)}
      >
        <Copy />
      </IconButton>
      <Show when={props.of.merge}>{(merge) => <MergeLine merge={merge()} />}</Show>
    </li>
  )
}

/** When an ID was merged, and the time of its events. */
function MergeLine(props: { readonly merge: IdMerge }): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const zone = (): string => workspace().timeZone
  const merged = (): string => formatAgo(props.merge.mergedMs, { nowMs: nowMs(), timeZone: zone() })
  const events = (): string => {
    const { events } = props.merge
    if (!events) return t('people.noEvents')
    // A range excludes its end.
    const range = { fromMs: events.firstMs, toMs: events.lastMs + 1 }
    return t('people.idEvents', { range: formatRange(range, zone()) })
  }
  return (
    <p>
      <span data-tip={formatMoment(props.merge.mergedMs, zone())}>
        {t('people.idMerged', { time: merged() })}
      </span>
      {' \u00b7 '}
      {events()}
    </p>
  )
}
