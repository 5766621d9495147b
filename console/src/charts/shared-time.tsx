import { createContext, createSignal, type JSX, type Signal, useContext } from 'solid-js'

/** The time that the charts of one page point at, in milliseconds. */
const Context = createContext<Signal<number | undefined>>()

/** Lets the charts over time inside share their crosshair. */
export function SharedTime(props: { readonly children: JSX.Element }): JSX.Element {
  return <Context.Provider value={createSignal<number>()}>{props.children}</Context.Provider>
}

/** The shared time of the page, or one of the chart alone. */
export function useSharedTime(): Signal<number | undefined> {
  return useContext(Context) ?? createSignal<number>()
}
