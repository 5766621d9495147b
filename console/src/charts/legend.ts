import type uPlot from 'uplot'

/** Parts that need a pointer on the chart. */
const OF_POINTER = '.u-series:first-child, .u-value'

/** A button that shows or hides a line; uPlot handles its clicks. */
export function createToggle(name: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = name
  button.ariaPressed = 'true'
  return button
}

/** Marks the names of visible lines as pressed. */
export function pressShown({ series }: uPlot): void {
  for (const { label, show } of series) {
    if (label instanceof HTMLElement) label.ariaPressed = String(show)
  }
}

/** Describes a chart to screen readers: a summary and the names of its lines; the table view has the values. */
export function describePlot({ root }: uPlot, summary: string): void {
  const drawing = root.querySelector('.u-wrap')
  drawing?.setAttribute('role', 'img')
  drawing?.setAttribute('aria-label', summary)
  const legend = root.querySelector('.u-legend')
  legend?.setAttribute('role', 'group')
  legend?.setAttribute('aria-label', 'Lines')
  for (const part of root.querySelectorAll(OF_POINTER)) part.ariaHidden = 'true'
}
