import './tooltip.css'

const DELAY_MS = 300

/** The pointer has this long to reach the tooltip itself, which stays while it is there. */
const GRACE_MS = 120

const GAP_PX = 6
const EDGE_PX = 8

/** The attributes of an element with a tooltip. `data-tip-keys` is a shortcut behind the text. */
const TIPPED = '[data-tip]'

/**
 * Shows the text of `data-tip` beside the element that the pointer or focus is on. One listener serves the whole page, so
 * that a list of a thousand icon buttons costs nothing. A tooltip is never the only place of a fact: icon buttons have the
 * same text as their name, other elements describe themselves by `aria-description`.
 */
export function startTooltips(): () => void {
  const tooltip = createTooltip()
  const onOver = ({ target }: Event): void => tooltip.follow(target instanceof Element ? target : undefined)
  const onFocus = (event: Event): void => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) onOver(event)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') tooltip.hide()
  }
  const stop = new AbortController()
  const options = { signal: stop.signal, passive: true, capture: true }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onFocus, options)
  document.addEventListener('focusout', tooltip.hide, options)
  document.addEventListener('pointerdown', tooltip.hide, options)
  document.addEventListener('scroll', tooltip.hide, options)
  document.addEventListener('keydown', onKey, options)
  return () => {
    stop.abort()
    tooltip.hide()
  }
}

function createTooltip(): { follow: (target: Element | undefined) => void; hide: () => void } {
  const box = document.createElement('div')
  box.className = 'ui-tooltip'
  box.setAttribute('role', 'tooltip')
  // Above dialogs.
  box.popover = 'manual'
  let current: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = (): void => {
    clearTimeout(timer)
    current = undefined
    box.remove()
  }
  const follow = (target: Element | undefined): void => {
    const anchor = target?.closest(TIPPED) ?? undefined
    if (anchor !== undefined && anchor !== current) {
      hide()
      current = anchor
      timer = setTimeout(() => showTip(box, anchor), DELAY_MS)
      return
    }
    clearTimeout(box.isConnected ? timer : undefined)
    const isInside = anchor !== undefined || (target !== undefined && box.contains(target))
    if (isInside || current === undefined) return
    if (box.isConnected) timer = setTimeout(hide, GRACE_MS)
    else hide()
  }
  return { follow, hide }
}

function showTip(box: HTMLElement, anchor: Element): void {
  if (!anchor.isConnected) return
  box.textContent = anchor.getAttribute('data-tip')
  const keys = anchor.getAttribute('data-tip-keys')
  if (keys !== null) {
    const part = document.createElement('span')
    part.className = 'ui-tooltip-keys'
    part.textContent = keys
    box.append(part)
  }
  document.body.append(box)
  box.showPopover()
  const { x, y } = placeTip(box.getBoundingClientRect(), anchor.getBoundingClientRect())
  box.style.left = `${x}px`
  box.style.top = `${y}px`
}

/** Above the element, or below it where there is no room, inside of the window. */
function placeTip(tip: DOMRect, anchor: DOMRect): { readonly x: number; readonly y: number } {
  const above = anchor.top - GAP_PX - tip.height
  const centred = anchor.left + (anchor.width - tip.width) / 2
  return {
    x: Math.max(EDGE_PX, Math.min(centred, innerWidth - EDGE_PX - tip.width)),
    y: above >= EDGE_PX ? above : anchor.bottom + GAP_PX,
  }
}
