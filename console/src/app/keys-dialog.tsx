import { createEffect, For, type JSX, onCleanup } from 'solid-js'
import { areSingleKeysOn, currentKeys, type KeyBinding, switchSingleKeys } from '../context/keys.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import './layers.css'

/** Keys as they are written on keyboards. */
function nameOf(keys: string): readonly string[] {
  const isMac = navigator.platform.startsWith('Mac')
  return keys.split(/[ +]/).map((key) => (key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key))
}

/** The list of all keys of the page, and the switch for single letters. */
export function KeysDialog(props: { readonly onClose: () => void }): JSX.Element {
  let dialog: HTMLDialogElement | undefined
  createEffect(() => dialog?.showModal())
  onCleanup(() => dialog?.close())
  const shown = (): readonly KeyBinding[] => [
    ...currentKeys(),
    { keys: 'Esc', label: t('shell.keyClose'), run: () => undefined },
  ]
  return (
    <dialog ref={dialog} class="keys-dialog" aria-labelledby="keys-title" onClose={() => props.onClose()}>
      <header>
        <h2 id="keys-title">{t('shell.keysTitle')}</h2>
        <Button size="small" onClick={() => props.onClose()}>
          {t('common.close')}
        </Button>
      </header>
      <label class="keys-switch">
        <input
          type="checkbox"
          checked={areSingleKeysOn()}
          aria-describedby="keys-switch-hint"
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
        />
        {t('shell.keysSwitch')}
      </label>
      <p id="keys-switch-hint" class="keys-hint">
        {t('shell.keysSwitchHint')}
      </p>
      <dl>
        <For each={shown()}>
          {({ keys, label }) => (
            <div>
              <dt>{label}</dt>
              <dd>
                <For each={nameOf(keys)}>{(key) => <kbd class="ui-key">{key}</kbd>}</For>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </dialog>
  )
}
