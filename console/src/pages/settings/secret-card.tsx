import Copy from 'lucide-solid/icons/copy'
import KeyRound from 'lucide-solid/icons/key-round'
import X from 'lucide-solid/icons/x'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'

/** A secret that is shown once, with a button that copies it. */
export function SecretCard(props: {
  /** The heading, which asks the reader to copy the secret now. */
  readonly title: string
  /** The purpose of the secret. */
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}): JSX.Element {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'failed'>('none')
  let field: HTMLInputElement | undefined
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.secret)
      setOutcome('copied')
    } catch {
      // Pages on plain HTTP have no clipboard.
      field?.select()
      setOutcome('failed')
    }
  }
  return (
    <section class="ui-card settings-secret" aria-label={props.title}>
      <KeyRound size={16} />
      <div>
        <p class="settings-strong" role="status">
          {props.title}
        </p>
        <p class="settings-text">{props.text}</p>
        <div class="settings-secret-line">
          <input
            ref={field}
            class="ui-input"
            readonly
            spellcheck={false}
            aria-label={props.text}
            value={props.secret}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button tone="primary" icon={<Copy />} onClick={() => void copy()}>
            {outcome() === 'copied' ? t('common.copied') : t('common.copy')}
          </Button>
        </div>
        <Show when={outcome() === 'failed'}>
          <p class="settings-text" role="alert">
            {t('settings.copyFailed')}
          </p>
        </Show>
      </div>
      <IconButton tone="ghost" size="small" name={t('common.close')} onClick={() => props.onClose()}>
        <X />
      </IconButton>
    </section>
  )
}
