import Check from 'lucide-solid/icons/check'
import Copy from 'lucide-solid/icons/copy'
import { children, createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { partsOfCode } from './code-parts.ts'
import type { Sample } from './ways.ts'

const COPIED_MS = 2000

/** Alternative samples as tabs, or one sample with its title, and a button that copies what is shown. */
export function SampleCard(props: {
  readonly samples: readonly Sample[]
  /** A text that is marked where it occurs: the key. */
  readonly mark: string
  readonly icon?: JSX.Element
  readonly foot?: JSX.Element
}): JSX.Element {
  const [chosen, setChosen] = createSignal(0)
  const labels = (): string => props.samples.map(({ label }) => label).join()
  createEffect(on(labels, () => setChosen(0), { defer: true }))
  const shown = (): Sample | undefined => props.samples[chosen()] ?? props.samples[0]
  const foot = children(() => props.foot)
  return (
    <div class="ui-card first-run-sample">
      <header>
        <Show
          when={props.samples.length > 1}
          fallback={
            <h3>
              {props.icon}
              {shown()?.label}
            </h3>
          }
        >
          <Tabs
            label={t('firstRun.language')}
            choices={props.samples.map(({ label }, index) => ({ value: String(index), label }))}
            value={String(chosen())}
            onChange={(value) => setChosen(Number(value))}
          />
        </Show>
        <CopySample text={shown()?.text ?? ''} label={shown()?.label ?? ''} />
      </header>
      <section class="first-run-code" aria-label={shown()?.label} tabindex="0">
        <pre>
          <code>
            <For each={linesOf(shown())}>
              {(line) => <CodeLine text={line.text} change={line.change} mark={props.mark} />}
            </For>
          </code>
        </pre>
      </section>
      <Show when={foot()}>
        <footer class="ui-card-foot">{foot()}</footer>
      </Show>
      <Show when={shown()?.page}>
        {(page) => (
          <footer class="ui-card-foot">
            <span class="first-run-hint">{t('firstRun.sdkCalls')}</span>
            <a class="first-run-page" href={`/docs/${page()}`} target="_blank" rel="noreferrer">
              {t('firstRun.sdkPage', { product: shown()?.label ?? '' })}
            </a>
          </footer>
        )}
      </Show>
    </div>
  )
}

interface Line {
  readonly text: string
  readonly change: 'removed' | 'added' | undefined
}

/** The lines of a sample, each after the one that it replaces. */
function linesOf(sample: Sample | undefined): readonly Line[] {
  const { text = '', replaced = {} } = sample ?? {}
  return text.split('\n').flatMap((line, index): readonly Line[] => {
    const before = replaced[index]
    if (before === undefined) return [{ text: line, change: undefined }]
    return [
      { text: before, change: 'removed' },
      { text: line, change: 'added' },
    ]
  })
}

function CodeLine(props: Line & { readonly mark: string }): JSX.Element {
  return (
    <span class="first-run-line" data-change={props.change}>
      <Show when={props.change}>
        {(change) => (
          <span class="ui-hidden">
            {t(change() === 'removed' ? 'firstRun.lineBefore' : 'firstRun.lineAfter')}:{' '}
          </span>
        )}
      </Show>
      <For each={partsOfCode(props.text)}>
        {({ text, role }) => (
          <span data-code={role}>
            <Marked text={text} mark={props.mark} />
          </span>
        )}
      </For>
    </span>
  )
}

function Marked(props: { readonly text: string; readonly mark: string }): JSX.Element {
  const at = (): number => (props.mark === '' ? -1 : props.text.indexOf(props.mark))
  return (
    <Show when={at() >= 0} fallback={props.text}>
      {props.text.slice(0, at())}
      <mark>{props.mark}</mark>
      {props.text.slice(at() + props.mark.length)}
    </Show>
  )
}

function CopySample(props: { readonly text: string; readonly label: string }): JSX.Element {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'failed'>('none')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const copy = async (): Promise<void> => {
    setOutcome((await copyText(props.text)) ? 'copied' : 'failed')
    clearTimeout(timer)
    timer = setTimeout(() => setOutcome('none'), COPIED_MS)
  }
  const words = (): string =>
    ({
      none: () => t('common.copy'),
      copied: () => t('common.copied'),
      failed: () => t('firstRun.copyFailed'),
    })[outcome()]()
  return (
    <Button
      size="small"
      class="first-run-copy"
      aria-label={`${words()}: ${props.label}`}
      icon={outcome() === 'copied' ? <Check /> : <Copy />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{words()}</span>
    </Button>
  )
}

/** Pages on plain HTTP have no clipboard: the text is selected in a field and copied by the browser's own command. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'ui-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
