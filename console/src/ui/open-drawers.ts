import { createSignal, onCleanup } from 'solid-js'

const [count, setCount] = createSignal(0)

/** Whether a drawer is open beside the page, which then has less room. A separate module: the frame loads no drawer. */
export function isDrawerBesidePage(): boolean {
  return count() > 0
}

/** Counts a drawer beside the page while the component exists. Styles find it at the root. */
export function countDrawer(): void {
  const add = (by: 1 | -1): void => {
    document.documentElement.toggleAttribute('data-drawer', setCount((open) => open + by) > 0)
  }
  add(1)
  onCleanup(() => add(-1))
}
