import type { JSX } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import type { LiveFeed } from './live-feed.ts'
import { arrivalOf } from './live-model.ts'
import type { LiveView } from './live-view.ts'
import { LiveNumbersCard } from './minute-bars.tsx'
import { useRealtime } from './online.tsx'

/** The numbers of this moment, of everyone or of the chosen cohorts. */
export function LiveNow(props: { readonly feed: LiveFeed; readonly view: LiveView }): JSX.Element {
  const workspace = useWorkspace()
  const realtime = useRealtime(
    () => workspace().project.id,
    () => props.view.state().cohorts,
  )
  const lastMs = (): number | undefined => {
    const newest = props.view.isNarrowed() ? undefined : props.feed.events()?.[0]
    return newest && arrivalOf(newest)
  }
  return (
    <LiveNumbersCard
      answer={realtime.isSuccess && !props.feed.failure() ? realtime.data : undefined}
      minuteMs={props.view.state().minuteMs}
      lastMs={lastMs()}
      onChoose={(minuteMs) =>
        props.view.change({
          minuteMs: props.view.state().minuteMs === minuteMs ? undefined : minuteMs,
          period: undefined,
        })
      }
    />
  )
}
