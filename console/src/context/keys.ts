import { createSignal, onCleanup, onMount } from 'solid-js'
import { readPreference, writePreference } from './preference.ts'

/** A key, or two in a row (`g o`), and what it does. */
export interface KeyBinding {
  /** Values of `KeyboardEvent.key` separated by blanks; a first part `mod+` stands for ⌘ or Ctrl. */
  readonly keys: string
  /** The description in the list of keys. */
  readonly label: string
  readonly run: () => void
}

/** Layers that have the keys to themselves. */
const LAYERS = 'dialog[open], [role="dialog"], [role="menu"]'

/** A layer behind which the page waits. */
const COVER = '.ui-cover'

/** Time for the second key of a pair. */
const PAIR_MS = 1500

const [bindings, setBindings] = createSignal<readonly KeyBinding[]>([])
const [areLettersOn, setLettersOn] = createSignal(readPreference('keys') !== 'off')

/** The keys of the shell and of the page that is shown. */
export const currentKeys = bindings

/** Whether single letters act; ⌘K and Escape always do. */
export const areSingleKeysOn = areLettersOn

/** Turns single letters on or off, also for later visits. */
export function switchSingleKeys(isOn: boolean): void {
  writePreference('keys', isOn ? 'on' : 'off')
  setLettersOn(isOn)
}

/** Adds keys while the component exists; a later binding of the same keys wins. */
export function useKeys(added: readonly KeyBinding[]): void {
  onMount(() => setBindings((before) => [...before, ...added]))
  onCleanup(() => setBindings((before) => before.filter((binding) => !added.includes(binding))))
}

/** The action of a key press after an earlier one, and the first key of a pair to remember. */
export function findBinding(
  known: readonly KeyBinding[],
  pressed: { readonly key: string; readonly before: string },
): { readonly binding: KeyBinding | undefined; readonly pending: string } {
  const pair = pressed.before === '' ? undefined : `${pressed.before} ${pressed.key}`
  const binding =
    known.findLast(({ keys }) => keys === pair) ?? known.findLast(({ keys }) => keys === pressed.key)
  const startsPair = !binding && known.some(({ keys }) => keys.startsWith(`${pressed.key} `))
  return { binding, pending: startsPair ? pressed.key : '' }
}

/** Whether a person is typing, so that letters are text. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type="checkbox"], [type="radio"]), select, textarea') !== null)
  )
}

/** Follows the keys of the page; call once. Layers that are open have the keys to themselves. */
export function followKeys(): void {
  let before = ''
  let pressedMs = 0
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return
    if (document.querySelector(COVER)) return
    const isMod = event.metaKey || event.ctrlKey
    if (!isMod && (!areLettersOn() || isTyping(event.target) || document.querySelector(LAYERS))) return
    const key = isMod ? `mod+${event.key.toLowerCase()}` : event.key
    const isPair = event.timeStamp - pressedMs < PAIR_MS
    const { binding, pending } = findBinding(bindings(), { key, before: isPair ? before : '' })
    before = pending
    pressedMs = event.timeStamp
    if (!binding) return
    event.preventDefault()
    binding.run()
  }
  onMount(() => document.addEventListener('keydown', press))
  onCleanup(() => document.removeEventListener('keydown', press))
}
