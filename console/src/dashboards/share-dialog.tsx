import Copy from 'lucide-solid/icons/copy'
import ExternalLink from 'lucide-solid/icons/external-link'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Input, Switch } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { type BoardSettings, useBoard } from './board.ts'

/** The public link of a dashboard: off or on, and what its readers may choose. Turning it off needs a confirmation. */
export function ShareDialog(props: { readonly onClose: () => void }): JSX.Element {
  const board = useBoard()
  const action = createAction()
  const [isEnding, setEnding] = createSignal(false)
  const link = (): string => {
    const { shareId } = board.dashboard()
    return shareId === '' ? '' : `${location.origin}/share/${shareId}`
  }
  const change = (settings: BoardSettings): void => action.run(async () => await board.update(settings))
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
          <Show when={link()}>{(address) => <LinkField address={address()} />}</Show>
          <Show when={link() !== ''}>
            <Switch
              label={t('dashboards.mayChooseRange')}
              isChecked={!board.dashboard().isRangePinned}
              isDisabled={action.isRunning()}
              onChange={(mayChoose) => change({ isRangePinned: !mayChoose })}
            />
          </Show>
          <Show when={action.failure()}>
            {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
          </Show>
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

function LinkField(props: { readonly address: string }): JSX.Element {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.address)
    showToast({ text: t('dashboards.linkCopied') })
  }
  return (
    <div class="share-link">
      <Input
        label={t('dashboards.link')}
        labelDisplay="hidden"
        readOnly
        value={props.address}
        onFocus={(event) => event.currentTarget.select()}
      />
      {/* Pages on plain HTTP have no clipboard. */}
      <Show when={isSecureContext}>
        <Button icon={<Copy />} onClick={() => void copy()}>
          {t('common.copyLink')}
        </Button>
      </Show>
      <ButtonLink icon={<ExternalLink />} href={props.address} target="_blank" rel="noopener">
        {t('dashboards.openLink')}
      </ButtonLink>
    </div>
  )
}
