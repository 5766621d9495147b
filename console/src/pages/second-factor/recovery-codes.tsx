import Copy from 'lucide-solid/icons/copy'
import Download from 'lucide-solid/icons/download'
import { createSignal, For, type JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import './messages.ts'

/** Recovery codes, which are shown once. */
export function RecoveryCodes(props: {
  readonly codes: readonly string[]
  readonly onSaved: () => void
}): JSX.Element {
  const [isCopied, setCopied] = createSignal(false)
  const text = (): string => `${props.codes.join('\n')}\n`
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text())
    setCopied(true)
  }
  return (
    <section class="settings-fields" aria-label={t('secondFactor.codesName')}>
      <p class="settings-strong" role="status">
        {t('secondFactor.codesTitle')}
      </p>
      <p class="settings-text">{t('secondFactor.codesText')}</p>
      <ul class="second-factor-codes">
        <For each={props.codes}>
          {(code) => (
            <li>
              <code>{code}</code>
            </li>
          )}
        </For>
      </ul>
      <div class="second-factor-actions">
        {/* Pages on plain HTTP have no clipboard. */}
        <Button icon={<Copy />} isDisabled={!('clipboard' in navigator)} onClick={() => void copy()}>
          {t(isCopied() ? 'common.copied' : 'common.copy')}
        </Button>
        <Button
          icon={<Download />}
          onClick={() => saveFile(new Blob([text()], { type: 'text/plain' }), 'millrace-recovery-codes.txt')}
        >
          {t('secondFactor.download')}
        </Button>
        <Button tone="primary" onClick={() => props.onSaved()}>
          {t('secondFactor.codesSaved')}
        </Button>
      </div>
    </section>
  )
}
