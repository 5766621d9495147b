import { createSignal, type JSX } from 'solid-js'

/** The attributes that the button of a layer spreads over its element. */
export type TriggerAttributes = Pick<
  JSX.ButtonHTMLAttributes<HTMLButtonElement>,
  | 'id'
  | 'ref'
  | 'onClick'
  | 'onFocus'
  | 'onPointerDown'
  | 'onPointerEnter'
  | 'onKeyDown'
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
>

type EventName = 'onClick' | 'onPointerDown' | 'onKeyDown'

/** The button of a layer whose code loads when the button is reached. */
interface LateTrigger {
  /** The attributes that the button spreads over its element. */
  readonly attributes: TriggerAttributes
  /** Gives the button to the layer: from then on, it behaves as the layer's trigger. Renders nothing. */
  readonly adopt: (trigger: TriggerAttributes) => JSX.Element
}

/**
 * The attributes of a button that is there before its layer: pages load layers and the library under them only when one is
 * used. Reaching the button loads the layer, the first click opens it, and then the layer's own trigger takes over.
 */
export function createLateTrigger(layer: {
  readonly popup: 'dialog' | 'menu'
  readonly load: () => void
  readonly open: () => void
}): LateTrigger {
  const [adopted, setAdopted] = createSignal<TriggerAttributes>()
  let button: HTMLButtonElement | undefined
  const pass = <E extends Event>(name: EventName, event: E): boolean => {
    const handler = adopted()?.[name]
    if (typeof handler === 'function') (handler as unknown as (event: E) => void)(event)
    return adopted() !== undefined
  }
  const attributes: TriggerAttributes = {
    ref: (element: HTMLButtonElement) => {
      button = element
    },
    get id() {
      return adopted()?.id
    },
    get 'aria-haspopup'() {
      return adopted()?.['aria-haspopup'] ?? layer.popup
    },
    get 'aria-expanded'() {
      return adopted()?.['aria-expanded'] ?? false
    },
    get 'aria-controls'() {
      return adopted()?.['aria-controls']
    },
    onFocus: layer.load,
    onPointerEnter: layer.load,
    onPointerDown: (event) => void pass('onPointerDown', event),
    onClick: (event) => {
      if (!pass('onClick', event)) layer.open()
    },
    onKeyDown: (event) => {
      if (pass('onKeyDown', event) || event.key !== 'ArrowDown' || layer.popup !== 'menu') return
      event.preventDefault()
      layer.open()
    },
  }
  const adopt = (trigger: TriggerAttributes): JSX.Element => {
    if (button && typeof trigger.ref === 'function') trigger.ref(button)
    setAdopted(trigger)
    return undefined
  }
  return { attributes, adopt }
}
