import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'

/** The size of a box in whole pixels. */
export interface BoxSize {
  readonly width: number
  readonly height: number
}

/** The size of an element, as it changes; 0 until it is known. */
export function createBoxSize(box: () => Element | undefined): Accessor<BoxSize> {
  const [size, setSize] = createSignal<BoxSize>(
    { width: 0, height: 0 },
    { equals: (a, b) => a.width === b.width && a.height === b.height },
  )
  onMount(() => {
    const element = box()
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      setSize({ width: Math.floor(width), height: Math.floor(height) })
    })
    observer.observe(element)
    onCleanup(() => observer.disconnect())
  })
  return size
}
