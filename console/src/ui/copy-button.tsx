import { createSignal, type JSX } from 'solid-js'

const SHOWN_MS = 1500

/** Copies a text. */
export function CopyButton(props: { readonly text: string; readonly label: string }): JSX.Element {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'failed'>('none')
  const copy = async (): Promise<void> => {
    setOutcome((await copyText(props.text)) ? 'copied' : 'failed')
    setTimeout(() => setOutcome('none'), SHOWN_MS)
  }
  const words = { none: 'Copy', copied: 'Copied', failed: 'Select and copy it' } as const
  return (
    <button type="button" class="button" aria-label={`Copy ${props.label}`} onClick={() => void copy()}>
      <span aria-live="polite">{words[outcome()]}</span>
    </button>
  )
}

/** Browsers have no clipboard for pages on plain HTTP. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
