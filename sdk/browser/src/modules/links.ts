/** Calls for each link that a click or a key follows, in this tab or another. */
export function onLink(follow: (link: URL) => void): void {
  const look = (event: Event): void => {
    // Links inside of shadow roots are on the path, not the target.
    for (const node of event.composedPath()) {
      if (!(node instanceof HTMLAnchorElement) || !/^https?:$/.test(node.protocol)) continue
      return follow(new URL(node.href))
    }
  }
  // Before handlers of the page, which may stop the event. The middle button has an event of its own.
  addEventListener('click', look, true)
  addEventListener('auxclick', (event) => event.button === 1 && look(event), true)
}

/** An address without its query and fragment, which may hold secrets. */
export function plainAddress({ origin, pathname }: URL): string {
  return origin + pathname
}
