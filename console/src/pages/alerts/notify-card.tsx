import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Input, Switch, TextArea } from '../../ui/input.tsx'
import { useChannels } from '../channels/channel-list.ts'
import { ChannelIcon, StateBadge } from '../channels/channel-parts.tsx'
import { kindOf } from '../channels/channel-words.ts'
import type { FindProblem } from '../settings/form-card.tsx'
import type { AlertDraft } from './alert-draft.ts'
import './messages.ts'

/** The quiet hours that a reader most likely wants. */
const NIGHT = { from: '22:00', to: '07:00', timeZone: '' } as const

/** Whom an alert notifies, when, and with which note. */
export function NotifyCard(props: {
  readonly draft: AlertDraft
  readonly problem: FindProblem
  readonly onChange: (part: Partial<AlertDraft>) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const channels = useChannels()
  const listed = () => (channels.isSuccess ? channels.data : [])
  const choose = (id: string, isChosen: boolean): void => {
    const others = props.draft.channelIds.filter((other) => other !== id)
    props.onChange({ channelIds: isChosen ? [...others, id] : others })
  }
  return (
    <Card title={t('alerts.notify')}>
      <div class="alerts-fields">
        <Show when={channels.isSuccess && listed().length === 0}>
          <p class="alerts-text">{t('alerts.noChannels')}</p>
        </Show>
        <For each={listed()}>
          {(channel) => (
            <div class="alerts-channel">
              <Checkbox
                label={
                  <span class="alerts-channel-name">
                    <ChannelIcon kind={kindOf(channel)} />
                    {channel.name}
                  </span>
                }
                isChecked={props.draft.channelIds.includes(channel.id)}
                onChange={(isChosen) => choose(channel.id, isChosen)}
              />
              <Show when={!channel.enabled || channel.failingSince}>
                <StateBadge channel={channel} />
              </Show>
            </div>
          )}
        </For>
        <Show when={channels.isSuccess && listed().length === 0}>
          <a href={`/p/${workspace().project.id}/settings/channels`}>{t('alerts.addChannel')}</a>
        </Show>
        <TextArea
          label={t('alerts.note')}
          rows={2}
          placeholder={t('alerts.noteExample')}
          value={props.draft.note}
          problem={props.problem('content.note')}
          onInput={(note) => props.onChange({ note })}
        />
        <Switch
          label={t('alerts.quiet')}
          isChecked={props.draft.quiet !== undefined}
          onChange={(isOn) => props.onChange({ quiet: isOn ? NIGHT : undefined })}
        />
        <Show when={props.draft.quiet}>
          {(quiet) => (
            <>
              <div class="alerts-pair">
                <Input
                  label={t('alerts.from')}
                  type="time"
                  value={quiet().from}
                  problem={quiet().from === quiet().to ? t('alerts.quietProblem') : undefined}
                  onInput={(from) => props.onChange({ quiet: { ...quiet(), from } })}
                />
                <Input
                  label={t('alerts.to')}
                  type="time"
                  value={quiet().to}
                  onInput={(to) => props.onChange({ quiet: { ...quiet(), to } })}
                />
              </div>
              <p class="alerts-quiet">
                {t('alerts.quietHint', { zone: quiet().timeZone || workspace().timeZone })}
              </p>
            </>
          )}
        </Show>
      </div>
    </Card>
  )
}
