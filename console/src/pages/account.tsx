import type { JSX } from 'solid-js'
import { type Account, AccountProvider } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { ProofDialog } from './second-factor/with-proof.tsx'
import { AccountSettings } from './settings/account.tsx'
import './settings/messages.ts'
import './settings/settings.css'
import { browserZone } from './zone-field.tsx'

/** The settings of an account outside of a project: guests may have none. */
export function AccountPage(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  return (
    <AccountProvider
      value={() => ({ account: props.account, timeZone: browserZone(), reload: props.reload })}
    >
      <div class="settings-alone" data-page="full">
        <h1>{t('shell.accountSettings')}</h1>
        <AccountSettings />
      </div>
      <ProofDialog />
    </AccountProvider>
  )
}
