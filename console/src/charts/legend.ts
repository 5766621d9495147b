import type uPlot from 'uplot'

/** What only says something while a pointer is on the chart. */
const OF_POINTER = '.u-series:first-child, .u-value'

/** The name of a line, which shows or hides it when it is pressed: the legend listens to what is clicked in it. */
export function createToggle(name: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = name
  button.ariaPressed = 'true'
  return button
}

/** Keeps the names pressed whose lines are shown. */
export function pressShown({ series }: uPlot): void {
  for (const { label, show } of series) {
    if (label instanceof HTMLElement) label.ariaPressed = String(show)
  }
}

/** Says to who does not see the chart what it is, and of its legend only the names: a table has the values. */
export function describePlot({ root }: uPlot, summary: string): void {
  const drawing = root.querySelector('.u-wrap')
  drawing?.setAttribute('role', 'img')
  drawing?.setAttribute('aria-label', summary)
  const legend = root.querySelector('.u-legend')
  legend?.setAttribute('role', 'group')
  legend?.setAttribute('aria-label', 'Lines')
  for (const part of root.querySelectorAll(OF_POINTER)) part.ariaHidden = 'true'
}
