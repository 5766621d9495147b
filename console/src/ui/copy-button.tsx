import { createSignal, type JSX } from 'solid-js'
import { t } from '../i18n/translate.ts'

const SHOWN_MS = 1500

/** Copies a text; `label` names it. */
export function CopyButton(props: {
  /** A function is called at the click. */
  readonly text: string | (() => string)
  readonly label: string
  /** `labelled` shows the label on the button. */
  readonly display?: 'short' | 'labelled'
}): JSX.Element {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'failed'>('none')
  const copy = async (): Promise<void> => {
    setOutcome(
      (await copyText(typeof props.text === 'string' ? props.text : props.text())) ? 'copied' : 'failed',
    )
    setTimeout(() => setOutcome('none'), SHOWN_MS)
  }
  const name = (): string => t('ui.copyOf', { name: props.label })
  const words = () => ({
    none: props.display === 'labelled' ? name() : t('common.copy'),
    copied: t('common.copied'),
    failed: t('ui.copyFailed'),
  })
  return (
    <button type="button" class="button" aria-label={name()} onClick={() => void copy()}>
      <span aria-live="polite">{words()[outcome()]}</span>
    </button>
  )
}

/** Pages on plain HTTP have no clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
