import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ApiKey } from '@contract/dashboard/projects/v1/project_pb.js'
import { ApiKeysService } from '@contract/millrace/keys/v1/api_keys_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Select } from '../../ui/combobox.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { AddressesField, addressesIn, type Expiry, ExpiryField, expireTimeOf } from './key-limit-fields.tsx'

const keysClient = clientOf(ApiKeysService)

const DAY_MS = 24 * 3_600_000

/** Days for which a replaced key works on. */
const OVERLAPS = ['1', '7', '30', '90'] as const

/** A key by its name, or by its masked text when it has none. */
export function nameOf({ displayName, masked }: ApiKey): string {
  return displayName.trim() === '' ? masked : displayName.trim()
}

interface KeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Changes the end of a key and the addresses from which it works. */
export function LimitKey(props: KeyDialogProps & { readonly onSaved: () => Promise<unknown> }): JSX.Element {
  const workspace = useWorkspace()
  const [expiry, setExpiry] = createSignal<Expiry>(props.apiKey.expireTime ? 'keep' : 'never')
  const [addresses, setAddresses] = createSignal(props.apiKey.allowedAddresses.join('\n'))
  const save = async (): Promise<void> => {
    const { id, expireTime } = props.apiKey
    const limits = {
      expireTime: expireTimeOf(expiry(), expireTime),
      allowedAddresses: addressesIn(addresses()),
    }
    const { onSaved, onClose } = props
    await withProof(async () => await keysClient.update({ id, ...limits }))
    await onSaved()
    onClose()
  }
  return (
    <ActionDialog
      title={t('settings.keyLimitsTitle', { name: nameOf(props.apiKey) })}
      verb={t('settings.keyLimitsSave')}
      isBlocked={false}
      onClose={props.onClose}
      onAct={save}
    >
      <ExpiryField
        label={t('settings.keyExpires')}
        value={expiry()}
        before={{ time: props.apiKey.expireTime, timeZone: workspace().timeZone }}
        onChange={setExpiry}
      />
      <AddressesField value={addresses()} onInput={setAddresses} />
    </ActionDialog>
  )
}

/** Creates the successor of a key, which works on for a while. */
export function RotateKey(
  props: KeyDialogProps & { readonly onCreated: (text: string) => void },
): JSX.Element {
  const [overlap, setOverlap] = createSignal<(typeof OVERLAPS)[number]>('7')
  const [expiry, setExpiry] = createSignal<Expiry>('never')
  const rotate = async (): Promise<void> => {
    const { onCreated, onClose, apiKey } = props
    const request = {
      id: apiKey.id,
      oldExpireTime: timestampFromMs(Date.now() + Number(overlap()) * DAY_MS),
      expireTime: expireTimeOf(expiry()),
    }
    const { key } = await withProof(async () => await keysClient.rotate(request))
    onCreated(key)
    onClose()
  }
  return (
    <ActionDialog
      title={t('settings.keyRotateTitle', { name: nameOf(props.apiKey) })}
      verb={t('settings.keyRotate')}
      isBlocked={false}
      onClose={props.onClose}
      onAct={rotate}
    >
      <p class="ui-dialog-text">{t('settings.keyRotateText')}</p>
      <Select
        label={t('settings.keyOldWorks')}
        options={OVERLAPS.map((value) => ({
          value,
          label: t('settings.keyDays', { count: Number(value) }),
        }))}
        value={overlap()}
        onChange={setOverlap}
      />
      <ExpiryField label={t('settings.keyNewExpires')} value={expiry()} onChange={setExpiry} />
    </ActionDialog>
  )
}
