import type { JSX } from 'solid-js'
import type { Account } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { OrganisationList } from './organisation-list.tsx'
import './settings/messages.ts'

/** The page of an account without projects. */
export function NoProjectPage(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  return (
    <div class="settings-alone" data-page="full">
      <header>
        <h1>{t('settings.noProjectTitle')}</h1>
        <p class="settings-text">{t('settings.noProjectText')}</p>
      </header>
      <OrganisationList account={props.account} reload={props.reload} />
    </div>
  )
}
