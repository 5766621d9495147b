import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/input.tsx'
import { Facts } from './settings/facts.tsx'
import { FormStack } from './settings/form-card.tsx'

const projectsClient = clientOf(ProjectsService)

/** The public fields of a service account; its key is never returned. */
interface ShownAccount {
  readonly project_id?: string
  readonly client_email?: string
}

/** The service account that notifications of the project are sent with. */
export function PushCredentials(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAsking, setAsking] = createSignal(false)
  const [isWriting, setWriting] = createSignal(false)
  const store = async (fcmServiceJson: string): Promise<void> => {
    const { reload } = workspace()
    await projectsClient.updateFCMServiceJSON({ fcmServiceJson })
    setWriting(false)
    await reload()
  }
  const shown = (): ShownAccount | undefined => {
    const { fcmServiceJson } = workspace().project
    return fcmServiceJson === '' ? undefined : JSON.parse(fcmServiceJson)
  }
  return (
    <Card title={t('settings.push')}>
      <div class="settings-fields">
        <Show when={shown()} fallback={<p class="settings-text">{t('settings.pushNone')}</p>}>
          {(account) => (
            <Facts
              facts={[
                [t('settings.pushProject'), account().project_id ?? ''],
                [t('settings.pushAccount'), account().client_email ?? ''],
              ]}
            />
          )}
        </Show>
        <Show when={may(ProjectsService.method.updateFCMServiceJSON)}>
          <div class="settings-actions">
            <Button aria-expanded={isWriting()} onClick={() => setWriting(!isWriting())}>
              {t(shown() ? 'settings.pushReplace' : 'settings.pushSet')}
            </Button>
            <Show when={shown()}>
              <Button tone="danger" onClick={() => setAsking(true)}>
                {t('settings.pushRemove')}
              </Button>
            </Show>
          </div>
          <Show when={isWriting()}>
            <CredentialsForm onSubmit={store} />
          </Show>
        </Show>
      </div>
      <ConfirmDialog
        title={t('settings.pushRemoveAsk')}
        text={t('settings.pushRemoveText')}
        verb={t('settings.pushRemove')}
        isOpen={isAsking()}
        onClose={() => setAsking(false)}
        onConfirm={async () => await store('')}
      />
    </Card>
  )
}

function CredentialsForm(props: { readonly onSubmit: (text: string) => Promise<void> }): JSX.Element {
  const [text, setText] = createSignal('')
  return (
    <FormStack submit={t('common.save')} onSubmit={async () => await props.onSubmit(text())}>
      {(problem) => (
        <TextArea
          label={t('settings.pushFile')}
          rows={5}
          value={text()}
          problem={problem('fcm_service_json')}
          onInput={setText}
        />
      )}
    </FormStack>
  )
}
