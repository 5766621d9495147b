import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { formatMoment } from '../format/values.ts'
import { Drawer } from '../ui/drawer.tsx'

/** The details of one event. */
export function EventDrawer(props: {
  readonly event: ActivityEvent
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const ms = (): number => (props.event.occurTime ? timestampMs(props.event.occurTime) : 0)
  const person = (): string =>
    `/p/${workspace().project.id}/people/${encodeURIComponent(`user:${props.event.distinctId}`)}`
  return (
    <Drawer title={props.event.kind} onClose={props.onClose}>
      <dl class="facts">
        <dt>Time</dt>
        <dd>
          {formatMoment(ms(), workspace().timeZone)} ({workspace().timeZone})
        </dd>
        <dt>Person</dt>
        <dd>
          <a href={person()}>{props.event.distinctId}</a>
        </dd>
        <dt>Session</dt>
        <dd>
          <code>{props.event.sessionId}</code>
        </dd>
        <dt>Event ID</dt>
        <dd>
          <code>{props.event.eventId}</code>
        </dd>
      </dl>
      <Properties title="Event properties" values={props.event.customProperties ?? {}} />
      <Properties title="Page and visit" values={props.event.autoProperties ?? {}} />
    </Drawer>
  )
}

/** A list of properties; nothing when there are none. */
export function Properties(props: {
  readonly title: string
  readonly values: Readonly<Record<string, unknown>>
}): JSX.Element {
  const entries = (): [string, unknown][] =>
    Object.entries(props.values).sort(([a], [b]) => a.localeCompare(b))
  return (
    <Show when={entries().length > 0}>
      <h3>{props.title}</h3>
      <dl class="facts">
        <For each={entries()}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </>
          )}
        </For>
      </dl>
    </Show>
  )
}
