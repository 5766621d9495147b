import { type JSX, Show } from 'solid-js'
import { formatNumber } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import type { Catalog } from './catalog.ts'
import { CATEGORY_NAMES, type Entry, isProperty } from './entries.ts'
import { EntryIcon } from './entry-icons.tsx'
import { VALUE_TYPE_NAMES } from './value-types.ts'

/** What is known about the highlighted entry. */
export function EntryPreview(props: { readonly entry: Entry; readonly catalog: Catalog }): JSX.Element {
  const typeName = (): string => {
    const { entry } = props
    return isProperty(entry) ? ` · ${t(VALUE_TYPE_NAMES[entry.valueType])}` : ''
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
          <div class="entry-description">{`${t(CATEGORY_NAMES[props.entry.kind])}${typeName()}`}</div>
        </div>
      </div>
      <Show when={props.entry.description}>{(text) => <p class="entry-preview-text">{text()}</p>}</Show>
      <Show when={props.entry.count}>
        {(count) => (
          <dl class="entry-facts">
            <dt>{t('picker.events')}</dt>
            <dd>{formatNumber(count())}</dd>
          </dl>
        )}
      </Show>
    </>
  )
}
