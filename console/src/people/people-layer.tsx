import { createEffect, createSignal, type JSX, on, onCleanup, Show, Suspense, untrack } from 'solid-js'
import type { ChartTarget } from '../charts/chart.ts'
import { currentLocation, replaceParameters } from '../context/router.ts'
import { lazy } from '../ui/lazy.ts'
import { type OpenedPart, readPart, writePart } from './opened-part.ts'
import { PeopleProvider, type PeopleSource } from './people-context.ts'

const PeopleDrawer = lazy(async () => ({ default: (await import('./people-drawer.tsx')).PeopleDrawer }))

/** The parameter of the address. */
const PARAMETER = 'people'

/** Lets charts inside it open the people behind their parts, in a drawer that the address keeps. */
export function PeopleLayer(props: { readonly children: JSX.Element }): JSX.Element {
  const [part, setPart] = createPart()
  const [offers, setOffers] = createSignal<ReadonlyMap<string, () => PeopleSource | undefined>>(new Map())
  const source = (): PeopleSource | undefined => {
    const name = part()?.name
    return name === undefined ? undefined : offers().get(name)?.()
  }
  const offer = (name: string, read: () => PeopleSource | undefined): void => {
    setOffers((before) => new Map(before).set(name, read))
    onCleanup(() =>
      setOffers(
        (before) => new Map([...before].filter(([known, other]) => known !== name || other !== read)),
      ),
    )
  }
  const open = (name: string, target: ChartTarget): void => void setPart({ name, target, person: '' })
  const opened = (name: string): ChartTarget | undefined => {
    const shown = part()
    return shown?.name === name ? shown.target : undefined
  }
  const change = (changed: Partial<OpenedPart>): void =>
    void setPart((before) => before && { ...before, ...changed })
  return (
    <PeopleProvider value={{ offer, open, opened }}>
      {props.children}
      <Show when={part() !== undefined && source() !== undefined}>
        <Suspense>
          <PeopleDrawer
            part={part() as OpenedPart}
            source={source() as PeopleSource}
            onChange={change}
            onClose={() => setPart(undefined)}
          />
        </Suspense>
      </Show>
    </PeopleProvider>
  )
}

/** The part in the address. Pages that write their own address leave other parameters out, so it is put back. */
function createPart() {
  const fromAddress = (): OpenedPart | undefined => readPart(currentLocation().query.get(PARAMETER))
  const [part, setPart] = createSignal<OpenedPart | undefined>(untrack(fromAddress))
  let visit = untrack(currentLocation).visit
  createEffect(() => {
    const now = currentLocation()
    if (now.visit === visit) return
    visit = now.visit
    setPart(fromAddress())
  })
  createEffect(
    on([part, currentLocation], ([shown, { query }]) => {
      const text = shown ? writePart(shown) : ''
      if ((query.get(PARAMETER) ?? '') !== text) replaceParameters({ [PARAMETER]: text })
    }),
  )
  return [part, setPart] as const
}
