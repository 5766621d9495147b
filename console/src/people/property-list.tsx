import Copy from 'lucide-solid/icons/copy'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { copyWithToast } from './copy-text.ts'

/** Properties that are shown before the list is expanded. */
const SHOWN = 8

/** A value of a property as text. */
export function writeProperty(value: unknown): string {
  if (value === null || value === undefined || value === '') return '\u2014'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Properties with their values, a few until the list is expanded. */
export function PropertyList(props: {
  readonly values: Readonly<Record<string, unknown>>
  readonly label: string
  /** Shows only properties whose name or value contains it. */
  readonly search?: string
}): JSX.Element {
  const [isWhole, setWhole] = createSignal(false)
  const matching = (): readonly (readonly [string, string])[] => {
    const wanted = (props.search ?? '').trim().toLowerCase()
    return Object.entries(props.values)
      .map(([name, value]) => [name, writeProperty(value)] as const)
      .filter(([name, text]) => `${name}\n${text}`.toLowerCase().includes(wanted))
      .sort(([left], [right]) => left.localeCompare(right))
  }
  const shown = () => (isWhole() ? matching() : matching().slice(0, SHOWN))
  const hidden = (): number => matching().length - SHOWN
  return (
    <>
      <dl class="people-facts" aria-label={props.label}>
        <For each={shown()}>
          {([name, text]) => (
            <div>
              <dt title={name}>{name}</dt>
              <dd>
                <span>{text}</span>
                <IconButton
                  size="small"
                  tone="ghost"
                  name={t('common.copy')}
                  onClick={() => void copyWithToast(text)}
                >
                  <Copy />
                </IconButton>
              </dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={hidden() > 0}>
        <Button size="small" tone="ghost" class="people-more" onClick={() => setWhole(!isWhole())}>
          {isWhole() ? t('people.showFewer') : t('people.showMore', { count: hidden() })}
        </Button>
      </Show>
    </>
  )
}
