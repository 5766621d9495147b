import { type Channel, ChannelsService } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { type JSX, Show } from 'solid-js'
import { useMay } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Facts } from '../settings/facts.tsx'
import { SecretCard } from '../settings/secret-card.tsx'
import { ChannelMenu } from './channel-menu.tsx'
import { ChannelIcon, StateBadge, StateNote } from './channel-parts.tsx'
import { ChannelTest } from './channel-test.tsx'
import { destinationOf, KINDS, kindOf } from './channel-words.ts'
import './channels.css'
import { DeliveryLog } from './delivery-log.tsx'
import './messages.ts'

/** A channel: its state with what to do, a test, and its deliveries. */
export function ChannelDrawer(props: {
  readonly channel: Channel
  /** The signing secret, while it is shown. */
  readonly secret: string
  readonly onSecretClosed: () => void
  readonly onEdit: () => void
  readonly onSecret: (secret: string) => void
  readonly onClose: () => void
}): JSX.Element {
  const may = useMay()
  return (
    <Drawer
      title={props.channel.name}
      icon={<ChannelIcon kind={kindOf(props.channel)} />}
      detail={<StateBadge channel={props.channel} />}
      isOpen={true}
      onClose={() => props.onClose()}
      actions={
        <Show when={may(ChannelsService.method.update)}>
          <ChannelMenu channel={props.channel} onEdit={props.onEdit} onSecret={props.onSecret} />
        </Show>
      }
    >
      <div class="channels-drawer">
        <Show when={props.secret}>
          {(secret) => (
            <>
              <SecretCard
                title={t('channels.secretNow')}
                text={t('channels.secretText')}
                secret={secret()}
                onClose={() => props.onSecretClosed()}
              />
              <a href="/docs/channels" target="_blank" rel="noopener">
                {t('channels.signing')}
              </a>
            </>
          )}
        </Show>
        <StateNote channel={props.channel} />
        <Facts
          facts={[
            [t('channels.kind'), t(KINDS[kindOf(props.channel)])],
            [t('channels.destination'), destinationOf(props.channel)],
          ]}
        />
        <Show when={may(ChannelsService.method.test)}>
          <ChannelTest channel={props.channel} />
        </Show>
        <DeliveryLog channel={props.channel} />
      </div>
    </Drawer>
  )
}
