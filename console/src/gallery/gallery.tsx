import { For, type JSX } from 'solid-js'
import { Toasts } from '../ui/toast.tsx'
import { Chips, Inputs, Lists } from './controls.tsx'
import { DataParts, Feedback, States } from './data-parts.tsx'
import './gallery.css'
import { Buttons, Layers, Ranges } from './layers.tsx'
import { PickerParts } from './picker-parts.tsx'

const SERIES = [1, 2, 3, 4, 5, 6, 7, 8]

/** Every component in every state, for screenshots and the check of accessibility. */
export function Gallery(): JSX.Element {
  return (
    <main class="gallery">
      <header class="gallery-head">
        <h1>Components</h1>
        <span class="gallery-series">
          <For each={SERIES}>
            {(number) => (
              <span>
                <i style={{ '--series': `var(--series-${number})` }} />
                {number}
              </span>
            )}
          </For>
        </span>
      </header>
      <div class="gallery-grid">
        <div class="gallery-column">
          <Buttons />
          <Inputs />
          <Lists />
          <Chips />
        </div>
        <div class="gallery-column">
          <DataParts />
        </div>
        <div class="gallery-column">
          <States />
          <Feedback />
          <Layers />
        </div>
      </div>
      <Ranges />
      <PickerParts />
      <Toasts />
    </main>
  )
}
