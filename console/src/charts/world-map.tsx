import './chart-table.css'
import './world-map.css'
import { WORLD } from 'virtual:world'
import type { TopKResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { type Change, changeOf, signChange } from '../format/change.ts'
import { rowLabel } from '../format/labels.ts'
import { formatTick, formatValue, type Unit } from '../format/unit.ts'
import { formatCountry, formatShare } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { Flag } from '../ui/flag.tsx'
import { ChangeMark } from './change-mark.tsx'
import type { ChartOptions, ChartProps } from './chart.ts'
import { quantileBounds, quantileStep, SHADES } from './quantiles.ts'
import { type Anchor, peopleFoot, Tooltip, type TooltipContent } from './tooltip.tsx'

const DRAWN: ReadonlySet<string> = new Set(WORLD.countries.map(([code]) => code))

/** Steps of the keyboard through the countries, from high to low. */
const STEPS_OF_KEY: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** A country with its value, as it is written. */
export interface Country {
  readonly code: string
  readonly name: string
  readonly value: number
  readonly text: string
  readonly share: string | undefined
  readonly change: Change | undefined
}

/** Countries by colour, and the same values as a list: the map is too coarse for small countries. */
export function WorldMap(props: ChartProps<TopKResult>): JSX.Element {
  const countries = createMemo(() => readCountries(props.result, props.previous, props.options))
  const [chosen, setChosen] = createSignal<string>()
  const open = (value: string): void => props.onOpen?.({ kind: 'row', value, isOthers: false })
  const opened = (): string | undefined => (props.opened?.kind === 'row' ? props.opened.value : undefined)
  return (
    <div class="world">
      <CountryMap
        countries={countries()}
        valueName={t('chart.value')}
        unit={props.options.unit}
        opened={opened()}
        foot={peopleFoot(props.onOpen)}
        onChoose={setChosen}
        onOpen={props.onOpen && open}
      />
      <CountryTable
        countries={countries()}
        chosen={chosen() ?? opened()}
        isCompared={props.previous !== undefined}
        onOpen={props.onOpen && open}
      />
    </div>
  )
}

/** Countries by colour, with the value of one at the pointer or by the arrow keys. */
export function CountryMap(props: {
  /** From high to low. */
  readonly countries: readonly Country[]
  /** The name of the value. */
  readonly valueName: string
  readonly unit: Unit
  /** The country that is framed while none is pointed at. */
  readonly opened?: string | undefined
  /** A hint at the action of a click, below the value of a country. */
  readonly foot?: Pick<TooltipContent, 'foot'> | undefined
  readonly onChoose?: (code: string | undefined) => void
  readonly onOpen?: ((code: string) => void) | undefined
}): JSX.Element {
  const bounds = createMemo(() => quantileBounds(props.countries.map(({ value }) => value)))
  const [chosen, setChosen] = createSignal<string>()
  const [anchor, setAnchor] = createSignal<Anchor>()
  const country = (): Country | undefined => props.countries.find(({ code }) => code === chosen())
  const choose = (code: string | undefined, at: Anchor | undefined): void => {
    setChosen(code)
    setAnchor(at)
    props.onChoose?.(code)
  }
  const step = (by: number): void => {
    const at = props.countries.findIndex(({ code }) => code === chosen())
    choose(props.countries[Math.min(props.countries.length - 1, Math.max(0, at + by))]?.code, undefined)
  }
  const open = (): void => {
    const code = country()?.code
    if (code !== undefined) props.onOpen?.(code)
  }
  const content = (): TooltipContent => ({
    ...describe(chosen() ?? '', country(), props.valueName),
    ...(country() && props.foot),
  })
  return (
    <div class="world-map">
      <Outlines
        countries={props.countries}
        bounds={bounds()}
        chosen={chosen() ?? props.opened}
        isClickable={props.onOpen !== undefined}
        onChoose={choose}
        onStep={step}
        onOpen={open}
      />
      <p class="visually-hidden world-spoken" aria-live="polite">
        {speak(chosen(), country())}
      </p>
      <Legend bounds={bounds()} countries={props.countries} unit={props.unit} />
      <Show when={chosen() !== undefined && anchor()}>
        {(at) => <Tooltip content={content()} anchor={at()} />}
      </Show>
    </div>
  )
}

function readCountries(
  top: TopKResult,
  previous: TopKResult | undefined,
  options: ChartOptions,
): readonly Country[] {
  const total = top.rows.reduce((sum, { value }) => sum + value, 0)
  return top.rows.map((row) => {
    const { dimensionValue: code, value } = row
    const before = previous?.rows.find((other) => other.dimensionValue === code)?.value
    return {
      code,
      name: formatCountry(rowLabel(row)),
      value,
      text: formatValue(value, options.unit),
      share: options.shares === 'shown' && total > 0 ? formatShare(value / total) : undefined,
      change: changeOf(value, before, options),
    }
  })
}

function describe(code: string, country: Country | undefined, valueName: string): TooltipContent {
  if (!country)
    return { title: formatCountry(code), rows: [{ name: t('chart.none'), value: '', isQuiet: true }] }
  return {
    title: country.name,
    rows: [
      {
        name: valueName,
        value: country.text,
        ...(country.change && { note: signChange(country.change) }),
      },
      ...(country.share === undefined
        ? []
        : [{ name: t('chart.share'), value: country.share, isQuiet: true }]),
    ],
  }
}

function speak(code: string | undefined, country: Country | undefined): string {
  if (code === undefined) return ''
  if (!country) return `${formatCountry(code)}: ${t('chart.none')}`
  const parts = [country.text, country.share, country.change?.words].filter((part) => part !== undefined)
  return `${country.name}: ${parts.join(', ')}`
}

function Outlines(props: {
  readonly countries: readonly Country[]
  readonly bounds: readonly number[]
  readonly chosen: string | undefined
  readonly isClickable: boolean
  readonly onChoose: (code: string | undefined, anchor: Anchor | undefined) => void
  readonly onStep: (by: number) => void
  readonly onOpen: () => void
}): JSX.Element {
  const shades = createMemo(
    () => new Map(props.countries.map(({ code, value }) => [code, quantileStep(value, props.bounds)])),
  )
  const point = (event: PointerEvent): void => {
    const code = event.target instanceof SVGPathElement ? event.target.dataset.code : undefined
    const side = event.clientX > innerWidth * 0.6 ? 'left' : 'right'
    props.onChoose(code === '' ? undefined : code, { x: event.clientX, y: event.clientY - 16, side })
  }
  return (
    <section
      class="world-outlines"
      classList={{ clickable: props.isClickable }}
      tabindex="0"
      aria-label={t('chart.world')}
      onKeyDown={(event) => {
        if (event.key === 'Enter') return props.onOpen()
        const by = STEPS_OF_KEY[event.key]
        if (by === undefined) return
        event.preventDefault()
        props.onStep(by)
      }}
    >
      <svg
        viewBox={`0 0 ${WORLD.width} ${WORLD.height}`}
        aria-hidden="true"
        onPointerMove={point}
        onPointerLeave={() => props.onChoose(undefined, undefined)}
        onClick={() => props.onOpen()}
      >
        <For each={WORLD.countries}>
          {([code, path]) => (
            <path
              d={path}
              data-code={code}
              class={`shade-${shades().get(code) ?? 0}`}
              classList={{ chosen: code !== '' && code === props.chosen }}
            />
          )}
        </For>
      </svg>
    </section>
  )
}

/** The steps of colour from zero to the highest value. */
function Legend(props: {
  readonly bounds: readonly number[]
  readonly countries: readonly Country[]
  readonly unit: Unit
}): JSX.Element {
  const titleOf = (shade: number): string => {
    const upper = props.bounds[shade - 1]
    return upper === undefined ? t('chart.above') : t('chart.upTo', { value: formatTick(upper, props.unit) })
  }
  const highest = (): number => Math.max(0, ...props.countries.map(({ value }) => value))
  return (
    <div class="world-legend">
      <span>{formatTick(0, props.unit)}</span>
      <For each={Array.from({ length: SHADES }, (_, index) => index + 1)}>
        {(shade) => (
          <svg class="world-swatch" viewBox="0 0 28 8">
            <title>{titleOf(shade)}</title>
            <path class={`shade-${shade}`} d="M0 0H28V8H0Z" />
          </svg>
        )}
      </For>
      <span>{formatValue(highest(), props.unit)}</span>
    </div>
  )
}

function CountryTable(props: {
  readonly countries: readonly Country[]
  readonly chosen: string | undefined
  readonly isCompared: boolean
  readonly onOpen: ((code: string) => void) | undefined
}): JSX.Element {
  const hidden = (): number => props.countries.filter(({ code }) => !DRAWN.has(code)).length
  return (
    <div class="world-list">
      <section class="table-scroll" tabindex="0" aria-label={t('chart.countries')}>
        <table class="chart-table">
          <thead>
            <tr>
              <th scope="col">{t('chart.country')}</th>
              <th scope="col" class="number">
                {t('chart.value')}
              </th>
              <Show when={props.countries.some(({ share }) => share !== undefined)}>
                <th scope="col" class="number">
                  {t('chart.share')}
                </th>
              </Show>
              <Show when={props.isCompared}>
                <th scope="col" class="number">
                  {t('chart.change')}
                </th>
              </Show>
            </tr>
          </thead>
          <tbody>
            <For each={props.countries}>
              {(country) => (
                <tr classList={{ chosen: country.code === props.chosen }}>
                  <td>
                    <span class="world-name">
                      <Flag country={country.code} />
                      <Show when={props.onOpen} fallback={country.name}>
                        {(open) => (
                          <button type="button" class="world-open" onClick={() => open()(country.code)}>
                            {country.name}
                          </button>
                        )}
                      </Show>
                    </span>
                  </td>
                  <td class="number strong">{country.text}</td>
                  <Show when={country.share !== undefined}>
                    <td class="number quiet">{country.share}</td>
                  </Show>
                  <Show when={props.isCompared}>
                    <td class="number">
                      <ChangeMark change={country.change} />
                    </td>
                  </Show>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
      <Show when={hidden() > 0}>
        <p class="quiet small">{t('chart.tooSmall', { count: hidden() })}</p>
      </Show>
    </div>
  )
}
