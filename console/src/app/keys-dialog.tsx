import { createEffect, For, type JSX, onCleanup, Show } from 'solid-js'
import { areSingleKeysOn, currentKeys, type KeyBinding, switchSingleKeys } from '../context/keys.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import './layers.css'

/** Keys as they are written on keyboards. */
function nameOf(keys: string): readonly string[] {
  const isMac = navigator.platform.startsWith('Mac')
  return keys.split(/[ +]/).map((key) => (key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key))
}

/** The keys that act, each once: of a page's and the frame's binding of the same keys, the page's. */
function listKeys(): readonly KeyBinding[] {
  const byKeys = new Map(currentKeys().map((binding) => [binding.keys, binding]))
  const run = (): void => undefined
  return [
    ...byKeys.values(),
    { keys: 'Enter', label: t('shell.keyOpen'), run },
    { keys: 'mod+Enter', label: t('shell.keyAnother'), run },
    { keys: 'Esc', label: t('shell.keyClose'), run },
  ]
}

/** The list of all keys of the page, and the switch for single letters. */
export function KeysDialog(props: { readonly onClose: () => void }): JSX.Element {
  let dialog: HTMLDialogElement | undefined
  createEffect(() => dialog?.showModal())
  onCleanup(() => dialog?.close())
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
        <For each={listKeys()}>
          {({ keys, label }) => (
            <div>
              <dt>{label}</dt>
              <dd>
                <For each={nameOf(keys)}>
                  {(key, at) => (
                    <>
                      <Show when={at() > 0 && keys.includes(' ')}>
                        <span class="keys-then">{t('shell.keyThen')}</span>
                      </Show>
                      <kbd class="ui-key">{key}</kbd>
                    </>
                  )}
                </For>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </dialog>
  )
}
