import type { TimeModel } from '@domain/charts/time-model.ts'
import { createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { type ChartNote, useChartNotes } from '../context/chart-notes.ts'
import { formatMinute } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { type AnnotationGroup, groupAnnotations } from './annotation-groups.ts'
import type { Frame } from './plot-view.ts'
import { Tooltip } from './tooltip.tsx'

/** The annotations over a chart: titles where there is room, else rings on the axis. The axis takes new ones. */
export function AnnotationMarks(props: { readonly model: TimeModel; readonly frame: Frame }): JSX.Element {
  const page = useChartNotes()
  onMount(() => page?.need())
  const groups = () =>
    groupAnnotations(page?.notes() ?? [], {
      times: props.model.times,
      bucketPixels: props.frame.xOf(1) - props.frame.xOf(0),
    })
  return (
    <>
      <Show when={page?.add()}>
        {(add) => <AnnotationStrip model={props.model} frame={props.frame} onAdd={add()} />}
      </Show>
      <For each={groups()}>
        {(group) => <Mark group={group} model={props.model} frame={props.frame} onOpen={page?.open} />}
      </For>
    </>
  )
}

/** The axis: a click on it begins an annotation in the bucket above. */
function AnnotationStrip(props: {
  readonly model: TimeModel
  readonly frame: Frame
  readonly onAdd: (timeMs: number) => void
}): JSX.Element {
  const [at, setAt] = createSignal<number>()
  const count = (): number => props.model.times.length
  const indexOf = (event: PointerEvent & { readonly currentTarget: HTMLElement }): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const bucket = props.frame.xOf(1) - props.frame.xOf(0)
    const first = props.frame.xOf(0) - props.frame.left
    const index = bucket > 0 ? Math.round((event.clientX - left - first) / bucket) : 0
    return width > 0 ? Math.min(count() - 1, Math.max(0, index)) : 0
  }
  const begin = (index: number): void => {
    const timeMs = props.model.times[index]
    if (timeMs !== undefined) props.onAdd(timeMs)
  }
  return (
    <>
      <button
        type="button"
        class="annotation-strip"
        style={{
          left: `${props.frame.left}px`,
          top: `${props.frame.top + props.frame.height}px`,
          width: `${props.frame.width}px`,
        }}
        aria-label={t('chart.addAnnotation')}
        data-tip={t('chart.addAnnotation')}
        onPointerMove={(event) => setAt(indexOf(event))}
        onPointerLeave={() => setAt(undefined)}
        // Without a pointer, the last bucket is meant.
        onClick={() => begin(at() ?? count() - 1)}
      />
      <Show when={at() !== undefined}>
        <span class="annotation-add" aria-hidden="true" style={markPlace(props.frame, at() ?? 0)} />
      </Show>
    </>
  )
}

function markPlace(frame: Frame, index: number): { readonly left: string; readonly top: string } {
  return { left: `${frame.xOf(index)}px`, top: `${frame.top + frame.height}px` }
}

function Mark(props: {
  readonly group: AnnotationGroup
  readonly model: TimeModel
  readonly frame: Frame
  readonly onOpen: ((note: ChartNote) => void) | undefined
}): JSX.Element {
  const [anchor, setAnchor] = createSignal<{ readonly x: number; readonly y: number }>()
  const open = (event: { readonly currentTarget: HTMLElement }): void => {
    const { left, bottom, width } = event.currentTarget.getBoundingClientRect()
    setAnchor({ x: left + width / 2, y: bottom + 4 })
  }
  const titles = (): string => props.group.annotations.map(({ title }) => title).join(', ')
  const content = () => ({
    title:
      props.group.annotations.length === 1
        ? t('chart.annotation')
        : t('chart.annotations', { count: props.group.annotations.length }),
    rows: props.group.annotations.map(({ title, author, timeMs }) => ({
      name: title,
      value: '',
      note: [author, formatMinute(timeMs, props.model.timeZone)].filter((text) => text).join(', '),
    })),
  })
  const x = (): string => `${props.frame.xOf(props.group.index)}px`
  const top = (): number =>
    props.group.look === 'pill' ? props.frame.top : props.frame.top + props.frame.height
  return (
    <>
      <Show when={props.group.look === 'pill'}>
        <div
          class="annotation-line"
          style={{ left: x(), top: `${top()}px`, height: `${props.frame.height}px` }}
        />
      </Show>
      <button
        type="button"
        class={`annotation ${props.group.look}`}
        style={{ left: x(), top: `${top()}px` }}
        aria-label={t('chart.annotationNamed', { titles: titles() })}
        onPointerEnter={open}
        onPointerLeave={() => setAnchor(undefined)}
        onFocus={open}
        onBlur={() => setAnchor(undefined)}
        onClick={() => {
          const [first] = props.group.annotations
          if (first) props.onOpen?.(first)
        }}
      >
        {props.group.look === 'pill'
          ? titles()
          : props.group.annotations.length > 1 && props.group.annotations.length}
      </button>
      <Show when={anchor()}>
        {(point) => <Tooltip content={content()} anchor={{ ...point(), side: 'right' }} />}
      </Show>
    </>
  )
}
