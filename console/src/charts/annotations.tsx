import { createSignal, For, type JSX, Show } from 'solid-js'
import { formatMinute } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { type AnnotationGroup, groupAnnotations } from './annotation-groups.ts'
import type { Frame } from './plot-view.ts'
import type { Annotation, TimeModel } from './time-model.ts'
import { Tooltip } from './tooltip.tsx'

/** The annotations over a chart: titles where there is room, else rings on the axis. */
export function AnnotationMarks(props: {
  readonly annotations: readonly Annotation[]
  readonly model: TimeModel
  readonly frame: Frame
}): JSX.Element {
  const groups = () =>
    groupAnnotations(props.annotations, {
      times: props.model.times,
      bucketPixels: props.frame.xOf(1) - props.frame.xOf(0),
    })
  return (
    <For each={groups()}>{(group) => <Mark group={group} model={props.model} frame={props.frame} />}</For>
  )
}

function Mark(props: {
  readonly group: AnnotationGroup
  readonly model: TimeModel
  readonly frame: Frame
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
