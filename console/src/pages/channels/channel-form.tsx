import type { Channel } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { type FindProblem, FormStack } from '../settings/form-card.tsx'
import {
  ADDRESSES_MAX,
  type ChannelDraft,
  encodeChannel,
  NEW_CHANNEL,
  parseAddresses,
  readChannel,
} from './channel-draft.ts'
import { channelsClient } from './channel-list.ts'
import { type ChannelKind, KINDS } from './channel-words.ts'
import './messages.ts'

/** A channel that was stored, with the signing secret of a new webhook. */
export interface StoredChannel {
  readonly channel?: Channel | undefined
  readonly signingSecret: string
}

/** Creates a channel, or changes one. */
export function ChannelForm(props: {
  /** The channel to change; without it a new one is created. */
  readonly channel?: Channel | undefined
  readonly onSaved: (stored: StoredChannel) => void
  readonly onClose: () => void
}): JSX.Element {
  const known = props.channel
  const [draft, setDraft] = createSignal(known ? readChannel(known) : NEW_CHANNEL)
  const change = (part: Partial<ChannelDraft>): void => void setDraft({ ...draft(), ...part })
  const save = async (): Promise<void> => {
    const { onSaved } = props
    const content = encodeChannel(draft())
    onSaved(
      known
        ? await channelsClient.update({ id: known.id, enabled: known.enabled, ...content })
        : await channelsClient.create(content),
    )
  }
  return (
    <Drawer title={t(known ? 'channels.edit' : 'channels.new')} isOpen={true} onClose={() => props.onClose()}>
      <FormStack submit={t(known ? 'common.save' : 'channels.create')} done="" onSubmit={save}>
        {(problem) => (
          <>
            <Input
              label={t('common.name')}
              required
              maxLength={255}
              placeholder={t('channels.nameExample')}
              value={draft().name}
              problem={problem('name')}
              onInput={(name) => change({ name })}
            />
            <Show when={!known}>
              <KindField kind={draft().kind} onChange={(kind) => change({ kind })} />
            </Show>
            <TargetFields draft={draft()} channel={known} problem={problem} onChange={change} />
          </>
        )}
      </FormStack>
    </Drawer>
  )
}

function KindField(props: {
  readonly kind: ChannelKind
  readonly onChange: (kind: ChannelKind) => void
}): JSX.Element {
  return (
    <SegmentedControl
      label={t('channels.kind')}
      choices={(Object.keys(KINDS) as ChannelKind[]).map((value) => ({ value, label: t(KINDS[value]) }))}
      value={props.kind}
      onChange={(kind) => props.onChange(kind)}
    />
  )
}

interface TargetProps {
  readonly draft: ChannelDraft
  readonly channel: Channel | undefined
  readonly problem: FindProblem
  readonly onChange: (part: Partial<ChannelDraft>) => void
}

function TargetFields(props: TargetProps): JSX.Element {
  return (
    <Switch>
      <Match when={props.draft.kind === 'mail'}>
        <AddressField {...props} />
      </Match>
      <Match when={props.draft.kind === 'slack'}>
        <UrlField {...props} path="slack.url" hint={t('channels.slackHint')} />
      </Match>
      <Match when={props.draft.kind === 'webhook'}>
        <UrlField {...props} path="webhook.url" hint={t('channels.webhookHint')} />
      </Match>
    </Switch>
  )
}

function AddressField(props: TargetProps): JSX.Element {
  /** The first address that the service rejects, and the reason. */
  const problem = (): string | undefined => {
    const whole = props.problem('mail.addresses')
    const sent = parseAddresses(props.draft.addresses)
    if (sent.length > ADDRESSES_MAX) return t('channels.addressMany', { count: ADDRESSES_MAX })
    const found = sent
      .map((address, at) => ({ address, text: props.problem(`mail.addresses[${at}]`) }))
      .find(({ text }) => text !== undefined)
    return found ? `${found.address}: ${found.text}` : whole
  }
  return (
    <TextArea
      label={t('channels.addresses')}
      hint={t('channels.addressesHint')}
      rows={4}
      placeholder="ada@example.com"
      value={props.draft.addresses}
      problem={problem()}
      onInput={(addresses) => props.onChange({ addresses })}
    />
  )
}

function UrlField(
  props: TargetProps & { readonly path: 'slack.url' | 'webhook.url'; readonly hint: string },
): JSX.Element {
  const stored = (): string => {
    const target = props.channel?.target
    return target?.case === 'slack' || target?.case === 'webhook' ? target.value.maskedUrl : ''
  }
  const example = (): string =>
    props.path === 'slack.url' ? 'https://hooks.slack.com/services/…' : 'https://example.com/hooks/millrace'
  return (
    <Input
      label={t('channels.url')}
      hint={props.channel ? t('channels.urlKeep') : props.hint}
      inputMode="url"
      spellcheck={false}
      required={!props.channel}
      maxLength={2048}
      placeholder={stored() || example()}
      value={props.draft.url}
      problem={props.problem(props.path)}
      onInput={(url) => props.onChange({ url })}
    />
  )
}
