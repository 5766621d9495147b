import type { Days } from '@domain/calendar.ts'
import { dateOf } from '@domain/calendar.ts'
import { type JSX, Show } from 'solid-js'
import { formatDay } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import { type Emptiness, withoutFilters } from '../model/emptiness.ts'

/** The reason why an answer has nothing in it, and the nearest way out. */
export function Nothing(props: {
  readonly emptiness: Emptiness
  readonly editor: InsightEditor
  readonly liveHref: string
}): JSX.Element {
  return (
    <EmptyState
      title={titleFor(props.emptiness)}
      text={textFor(props.emptiness, props.editor.now().timeZone)}
      actions={<WayOut {...props} />}
    />
  )
}

function titleFor(emptiness: Emptiness): string {
  switch (emptiness.reason) {
    case 'unknown event':
      return t('insights.noEventCalled', { name: emptiness.event })
    case 'unknown property':
      return t('insights.noPropertyCalled', { name: labelOfProperty(emptiness.property) })
    case 'no number':
      return t('insights.isNoNumber', { name: labelOfProperty(emptiness.property) })
    case 'earlier':
    case 'filters':
    case 'bots':
    case 'period':
      return t('insights.noEvents')
  }
}

function textFor(emptiness: Emptiness, timeZone: string): string {
  switch (emptiness.reason) {
    case 'unknown event':
    case 'unknown property':
      return t('insights.namesComeFromEvents')
    case 'no number':
      return t('insights.chooseNumber')
    case 'earlier':
      return t('insights.lastOne', { name: emptiness.event, day: formatDay(emptiness.lastMs, timeZone) })
    case 'filters':
      return t('insights.noneMatches')
    case 'bots':
      return t('insights.noneButBots')
    case 'period':
      return t('insights.nonePeriod')
  }
}

function WayOut(props: {
  readonly emptiness: Emptiness
  readonly editor: InsightEditor
  readonly liveHref: string
}): JSX.Element {
  const { editor } = props
  const isOfNames = (): boolean =>
    props.emptiness.reason === 'unknown event' || props.emptiness.reason === 'unknown property'
  const since = (): Days | undefined => {
    const { timeZone, nowMs } = editor.now()
    if (props.emptiness.reason !== 'earlier') return undefined
    return { from: dateOf(props.emptiness.lastMs, timeZone), to: dateOf(nowMs, timeZone) }
  }
  return (
    <>
      <Show when={isOfNames()}>
        <ButtonLink href={props.liveHref}>{t('insights.openLive')}</ButtonLink>
      </Show>
      <Show when={since()}>
        {(days) => (
          <Button onClick={() => editor.change({ period: days() })}>{t('insights.showSince')}</Button>
        )}
      </Show>
      <Show when={props.emptiness.reason === 'filters'}>
        <Button onClick={() => editor.setDraft(withoutFilters(editor.draft()))}>
          {t('insights.removeFilters')}
        </Button>
      </Show>
      <Show when={props.emptiness.reason === 'bots'}>
        <Button onClick={() => editor.setDraft({ ...editor.draft(), excludeBots: false })}>
          {t('insights.countBots')}
        </Button>
      </Show>
      <Show when={!isOfNames() && props.emptiness.reason !== 'no number' && !since()}>
        <Button onClick={() => editor.change({ period: { last: 90, unit: 'days' } })}>
          {t('insights.last90Days')}
        </Button>
      </Show>
    </>
  )
}
