import type { InsightContent, SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { NAME_LENGTH_MAX } from '../insights/query-address.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Input, TextArea } from '../ui/input.tsx'
import { showToast } from '../ui/toast.tsx'
import './messages.ts'
import type { SavedTexts } from './saved-address.ts'
import { refreshSaved, saveInsight } from './saved-insights.ts'
import { parseTags } from './tags.ts'

/** Most characters of a description. */
const DESCRIPTION_MAX = 1000

/** Names an insight and stores it: as a new one, or with other texts. */
export function SaveInsightDialog(props: {
  /** Absent for a new insight. */
  readonly id?: string | undefined
  readonly texts: SavedTexts
  readonly contentWith: (texts: SavedTexts) => InsightContent
  readonly onSaved: (insight: SavedInsight) => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [name, setName] = createSignal(props.texts.name)
  const [description, setDescription] = createSignal(props.texts.description)
  const [tags, setTags] = createSignal(props.texts.tags.join(', '))
  const isTooLong = (): boolean => description().length > DESCRIPTION_MAX
  const save = async (): Promise<void> => {
    const { id, onSaved, onClose } = props
    const texts = { name: name().trim(), description: description().trim(), tags: parseTags(tags()) }
    const insight = await saveInsight(id, props.contentWith(texts))
    void refreshSaved(workspace().project.id)
    showToast({ text: t('library.saved', { name: texts.name }), tone: 'good' })
    onClose()
    if (insight) onSaved(insight)
  }
  return (
    <ActionDialog
      title={t(props.id === undefined ? 'library.saveInsight' : 'library.editDetails')}
      verb={t('common.save')}
      isBlocked={name().trim() === '' || isTooLong()}
      onClose={() => props.onClose()}
      onAct={save}
    >
      <Input label={t('common.name')} value={name()} maxLength={NAME_LENGTH_MAX} onInput={setName} />
      <TextArea label={t('library.description')} rows={2} value={description()} onInput={setDescription} />
      <Show when={isTooLong()}>
        <p class="ui-field-problem">{t('library.descriptionTooLong', { count: DESCRIPTION_MAX })}</p>
      </Show>
      <Input label={t('library.tags')} hint={t('library.tagsHint')} value={tags()} onInput={setTags} />
    </ActionDialog>
  )
}
