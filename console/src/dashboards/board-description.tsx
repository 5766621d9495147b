import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import './messages.ts'

/** The description of a dashboard: its first lines, and a button that shows the rest of a long one. */
export function BoardDescription(props: { readonly text: string }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  const [isCut, setCut] = createSignal(false)
  const watch = (lines: HTMLElement): void => {
    // An open description has no lines that are cut off, which does not make it short.
    const measure = (): void => void (isOpen() || setCut(lines.scrollHeight > lines.clientHeight))
    const observer = new ResizeObserver(measure)
    observer.observe(lines)
    onCleanup(() => observer.disconnect())
  }
  return (
    <div class="board-description">
      <p ref={watch} classList={{ 'board-description-lines': !isOpen() }}>
        {props.text}
      </p>
      <Show when={isCut()}>
        <Button size="small" tone="ghost" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
          {t(isOpen() ? 'dashboards.showLess' : 'dashboards.showMore')}
        </Button>
      </Show>
    </div>
  )
}
