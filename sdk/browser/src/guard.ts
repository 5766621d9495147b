/** Does work whose caller is the page or the browser: an error here never reaches the page. */
export const guard = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // No caller is left that could handle it.
  }
}

/** Listens to an event of the window, or of its document. */
export const on = <Type extends Event>(name: string, listen: (event: Type) => unknown): void =>
  addEventListener(name, (event) => guard(() => listen(event as Type)))
