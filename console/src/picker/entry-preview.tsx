import './messages.ts'
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { Sparkline } from '../charts/sparkline.tsx'
import { formatDay, formatMinute, formatNumber, NO_VALUE } from '../format/values.ts'
import { currentLocale } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { SkeletonBlock } from '../ui/states.tsx'
import type { Catalog } from './catalog.ts'
import { type Category, type Entry, type EventEntry, isProperty, type PropertyEntry } from './entries.ts'
import { EntryIcon } from './entry-icons.tsx'
import './entry-preview.css'
import { labelOfValue } from './names.ts'
import { VALUE_TYPE_NAMES } from './value-types.ts'

/** Entries that are only passed over fetch nothing. */
const DWELL_MS = 150

/** Values that the preview of a property names. */
const VALUES_SHOWN = 6

const KIND_NAMES = {
  event: 'picker.event',
  goal: 'picker.goal',
  property: 'picker.eventProperty',
  person: 'picker.personProperty',
  page: 'picker.pageAndVisit',
  visitStart: 'picker.visitStart',
  firstTouch: 'picker.firstTouch',
} as const satisfies Record<Exclude<Category, 'all' | 'recent'>, string>

/** The facts about the highlighted entry; those that must be fetched come once the highlight rests. */
export function EntryPreview(props: {
  readonly entry: Entry
  readonly description: string | undefined
  readonly catalog: Catalog
}): JSX.Element {
  const settled = createSettled(() => props.entry)
  const ofEvent = (): EventEntry | undefined => (isProperty(props.entry) ? undefined : props.entry)
  const ofProperty = (): PropertyEntry | undefined => (isProperty(props.entry) ? props.entry : undefined)
  const kindText = (): string => {
    const name = t(KIND_NAMES[props.entry.kind])
    return isProperty(props.entry) ? `${name} · ${t(VALUE_TYPE_NAMES[props.entry.valueType])}` : name
  }
  return (
    <>
      <div class="entry-preview-head">
        <span class="entry-icon" data-size="large">
          <EntryIcon entry={props.entry} />
        </span>
        <div class="entry-text">
          <div class="entry-preview-name">
            <bdi>{props.entry.label}</bdi>
          </div>
          <div class="entry-description">{kindText()}</div>
        </div>
      </div>
      <Show when={props.description}>{(text) => <p class="entry-preview-text">{text()}</p>}</Show>
      <Show when={ofEvent()}>
        {(entry) => <EventPreview entry={entry()} settled={settled()} catalog={props.catalog} />}
      </Show>
      <Show when={ofProperty()}>
        {(entry) => <PropertyPreview entry={entry()} settled={settled()} catalog={props.catalog} />}
      </Show>
    </>
  )
}

/** The highlighted entry once it has been so for a moment; undefined until then. */
function createSettled(entry: () => Entry): () => Entry | undefined {
  const [settled, setSettled] = createSignal<Entry>()
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(
    on(entry, (highlighted) => {
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(highlighted), DWELL_MS)
    }),
  )
  onCleanup(() => clearTimeout(timer))
  return () => (settled() === entry() ? settled() : undefined)
}

function EventPreview(props: {
  readonly entry: EventEntry
  readonly settled: Entry | undefined
  readonly catalog: Catalog
}): JSX.Element {
  // The numbers of a goal with conditions are not those of its event.
  const asked = (): string | undefined =>
    props.settled === props.entry && props.entry.filters.length === 0 ? props.entry.event : undefined
  const known = props.catalog.createFacts(asked)
  const isAsked = (): boolean => props.entry.filters.length === 0 && !known.hasFailed()
  const total = (): number | undefined =>
    props.entry.count ?? known.facts()?.dailyCounts.reduce((sum, count) => sum + count, 0)
  return (
    <>
      <Show when={isAsked()}>
        <div class="entry-preview-count">
          <span>{t('picker.last30Days')}</span>
          <strong>{total() === undefined ? '' : formatNumber(total() ?? 0)}</strong>
        </div>
        <div class="entry-preview-trend">
          <Show when={known.facts()} fallback={<SkeletonBlock heightPx={56} />}>
            {(facts) => (
              <Sparkline
                values={facts().dailyCounts}
                previous={[]}
                incomplete={facts().dailyCounts.length - 1}
                area={true}
              />
            )}
          </Show>
        </div>
      </Show>
      <dl class="entry-facts">
        <SeenFacts entry={props.entry} timeZone={props.catalog.timeZone()} />
        <Show when={isAsked()}>
          <dt>{t('picker.people')}</dt>
          <dd>{known.facts() ? formatNumber(known.facts()?.people ?? 0) : NO_VALUE}</dd>
        </Show>
      </dl>
      <Show when={known.facts()?.properties.length}>
        <h4 class="entry-preview-title">{t('picker.commonProperties')}</h4>
        <Tags texts={known.facts()?.properties ?? []} />
      </Show>
    </>
  )
}

function SeenFacts(props: { readonly entry: Entry; readonly timeZone: string }): JSX.Element {
  return (
    <>
      <Show when={props.entry.firstSeenMs}>
        {(ms) => (
          <>
            <dt>{t('picker.firstSeen')}</dt>
            <dd>{formatDay(ms(), props.timeZone)}</dd>
          </>
        )}
      </Show>
      <Show when={props.entry.lastSeenMs}>
        {(ms) => (
          <>
            <dt>{t('picker.lastSeen')}</dt>
            <dd title={formatMinute(ms(), props.timeZone)}>{formatSince(ms(), props.timeZone)}</dd>
          </>
        )}
      </Show>
    </>
  )
}

const ago = new Intl.RelativeTimeFormat(currentLocale, { style: 'short', numeric: 'always' })

/** The time since then within a day, else the day. */
function formatSince(ms: number, timeZone: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - ms) / 1000))
  if (seconds < 60) return ago.format(-seconds, 'second')
  if (seconds < 3600) return ago.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return ago.format(-Math.floor(seconds / 3600), 'hour')
  return formatDay(ms, timeZone)
}

function PropertyPreview(props: {
  readonly entry: PropertyEntry
  readonly settled: Entry | undefined
  readonly catalog: Catalog
}): JSX.Element {
  const list = props.catalog.createValues(() => {
    const { property, source } = props.entry
    return props.settled === props.entry ? { property, source, event: '', search: '' } : undefined
  })
  const texts = createMemo(() =>
    (props.settled === props.entry ? list.values() : [])
      .slice(0, VALUES_SHOWN)
      .map(({ value }) => labelOfValue(props.entry, value)),
  )
  const countName = (): string => (props.entry.kind === 'person' ? t('picker.people') : t('picker.events'))
  return (
    <>
      <dl class="entry-facts">
        <dt>{countName()}</dt>
        <dd>{formatNumber(props.entry.count ?? 0)}</dd>
        <SeenFacts entry={props.entry} timeZone={props.catalog.timeZone()} />
      </dl>
      <Show when={texts().length > 0}>
        <h4 class="entry-preview-title">{t('picker.commonValues')}</h4>
        <Tags texts={texts()} />
      </Show>
    </>
  )
}

function Tags(props: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <ul class="entry-tags">
      <For each={props.texts}>
        {(text) => (
          <li>
            <bdi>{text}</bdi>
          </li>
        )}
      </For>
    </ul>
  )
}
