import ExternalLink from 'lucide-solid/icons/external-link'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { type BoardSettings, useBoard } from './board.ts'
import { shareLink } from './share-address.ts'
import { ShareGuests } from './share-guests.tsx'
import { CopyField, ShareOptions } from './share-options.tsx'

/** The public link of a dashboard, off or on, its options, and the guests who see it. Turning the link off needs a confirmation. */
export function ShareDialog(props: { readonly onClose: () => void }): JSX.Element {
  const board = useBoard()
  const action = createAction()
  const [isEnding, setEnding] = createSignal(false)
  const link = (): string => shareLink({ origin: location.origin, shareId: board.dashboard().shareId })
  const change = (settings: BoardSettings, onDone?: () => void): void =>
    action.run(async () => {
      await board.update(settings)
      onDone?.()
    })
  return (
    <>
      <Dialog title={t('dashboards.shareTitle')} isOpen={!isEnding()} onClose={() => props.onClose()}>
        <div class="share-dialog">
          <Switch
            label={t('dashboards.publicLink')}
            isChecked={link() !== ''}
            isDisabled={action.isRunning()}
            onChange={(isPublic) => {
              // The most private choice is the default.
              if (isPublic) change({ isPublic: true, isRangePinned: true })
              else setEnding(true)
            }}
          />
          <p class="ui-dialog-text">{t('dashboards.publicLinkText')}</p>
          <Show when={link()}>
            {(address) => (
              <>
                <CopyField
                  label={t('dashboards.link')}
                  value={address()}
                  verb={t('common.copyLink')}
                  copied={t('dashboards.linkCopied')}
                >
                  <ButtonLink icon={<ExternalLink />} href={address()} target="_blank" rel="noopener">
                    {t('dashboards.openLink')}
                  </ButtonLink>
                </CopyField>
                <ShareOptions isBusy={action.isRunning()} onChange={change} />
              </>
            )}
          </Show>
          <Show when={action.failure()}>
            {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
          </Show>
          <ShareGuests isBusy={action.isRunning()} onChange={change} />
        </div>
      </Dialog>
      <ConfirmDialog
        title={t('dashboards.endLinkTitle')}
        text={t('dashboards.endLinkText')}
        verb={t('dashboards.endLink')}
        isOpen={isEnding()}
        onClose={() => setEnding(false)}
        onConfirm={async () => await board.update({ isPublic: false })}
      />
    </>
  )
}
