import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { IngestionWarning, WarningSample } from '@contract/millrace/ingest/v1/warnings_service_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatMoment, formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { EffectBadge } from './warning-list.tsx'
import { libraryOf, markLines, sourceOf, textOf, titleOf } from './warnings.ts'

/** What happened, what to do, and the sample with the wrong part marked. */
export function WarningDrawer(props: {
  readonly warning: IngestionWarning
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const moment = (time: Timestamp | undefined): string =>
    time ? formatMoment(timestampMs(time), workspace().timeZone) : NO_VALUE
  const facts = (): readonly (readonly [title: string, value: string])[] => [
    [t('warnings.source'), sourceOf(props.warning.dialect)],
    [t('warnings.sdk'), libraryOf(props.warning) || NO_VALUE],
    [t('warnings.count'), formatNumber(props.warning.count)],
    [t('warnings.firstSeen'), moment(props.warning.firstTime)],
    [t('warnings.lastSeen'), moment(props.warning.lastTime)],
  ]
  return (
    <Drawer title={t(titleOf(props.warning.reason))} isOpen onClose={props.onClose}>
      <div class="warnings-drawer">
        <p>
          <EffectBadge warning={props.warning} />
        </p>
        <p>{t(textOf(props.warning.reason))}</p>
        <dl class="people-facts">
          <For each={facts()}>
            {([title, value]) => (
              <div>
                <dt>{title}</dt>
                <dd class="ui-tabular">{value}</dd>
              </div>
            )}
          </For>
        </dl>
        <section>
          <h3>{t('warnings.sample')}</h3>
          <Show when={props.warning.sample} fallback={<p>{t('warnings.noSample')}</p>}>
            {(sample) => <Sample sample={sample()} />}
          </Show>
        </section>
      </div>
    </Drawer>
  )
}

function Sample(props: { readonly sample: WarningSample }): JSX.Element {
  return (
    <>
      <Show when={props.sample.problem}>
        <p>
          <code>{props.sample.fields.join(', ')}</code> {props.sample.problem}
        </p>
      </Show>
      <Show when={props.sample.eventJson}>
        {(json) => (
          <>
            <p class="warnings-hint">{t('warnings.sampleText')}</p>
            <pre class="warnings-json" tabindex="0">
              <For each={markLines(json(), props.sample.fields)}>
                {({ text, isMarked }) => (
                  <Show when={isMarked} fallback={<span>{`${text}\n`}</span>}>
                    <mark>{`${text}\n`}</mark>
                  </Show>
                )}
              </For>
            </pre>
          </>
        )}
      </Show>
    </>
  )
}
