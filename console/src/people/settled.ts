import { createEffect, createSignal, on, onCleanup } from 'solid-js'

/** While a person types, a search waits this long for the next letter. */
const PAUSE_MS = 200

/** A value that follows another one once it stays for a moment; an empty text at once. */
export function createSettled(value: () => string): () => string {
  const [settled, setSettled] = createSignal(value())
  createEffect(
    on(
      value,
      (text) => {
        if (text === '') return void setSettled('')
        const timer = setTimeout(() => setSettled(text), PAUSE_MS)
        onCleanup(() => clearTimeout(timer))
      },
      { defer: true },
    ),
  )
  return settled
}
