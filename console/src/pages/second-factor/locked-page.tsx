import type { JSX } from 'solid-js'
import type { Account } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { OrganisationList } from '../organisation-list.tsx'
import '../settings/messages.ts'
import '../settings/settings.css'
import './messages.ts'
import { SecondFactorCard } from './second-factor-card.tsx'
import { ProofDialog } from './with-proof.tsx'

/** The page of a project whose organisation requires a second factor, which the session has not proved. */
export function LockedPage(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  const names = (): string =>
    props.account.organisations
      .filter(({ isLocked }) => isLocked)
      .map(({ org }) => org.displayName)
      .join(', ')
  return (
    <div class="settings-alone" data-page="full">
      <header>
        <h1>{t('secondFactor.lockedTitle', { name: names() })}</h1>
        <p class="settings-text">{t('secondFactor.lockedText')}</p>
      </header>
      <SecondFactorCard
        hasPassword={props.account.hasPassword}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
        onChange={() => void props.reload()}
      />
      <OrganisationList account={props.account} reload={props.reload} />
      <ProofDialog />
    </div>
  )
}
