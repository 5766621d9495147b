import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import Bell from 'lucide-solid/icons/bell'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import LinkIcon from 'lucide-solid/icons/link'
import Pencil from 'lucide-solid/icons/pencil'
import { createSignal, type JSX, Show } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import type { InsightEditor } from '../../insights/insight-editor.ts'
import { NAME_LENGTH_MAX } from '../../insights/query-address.ts'
import { saveCsv } from '../../insights/result/export-answer.ts'
import { parseSpec } from '../../insights/spec.ts'
import type { SavedControls } from '../../library/saved-controls.ts'
import { SaveButton, SavedBadge, SavedLayers, savedEntries } from '../../library/saved-parts.tsx'
import { copyWithToast } from '../../people/copy-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { firstPoint } from '../alerts/alert-draft.ts'
import { newAlertHref } from '../alerts/alert-list.ts'

/** The name of an insight, and what can be done with all of it. */
export function BuilderHead(props: {
  readonly editor: InsightEditor
  readonly saved: SavedControls
  /** Adds it to a dashboard. */
  readonly onAdd: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isJsonOpen, setJsonOpen] = createSignal(false)
  useKeys([{ keys: 'mod+s', label: t('library.saveInsight'), run: () => props.saved.save() }])
  const canAdd = (): boolean => may(DashboardsService.method.upsert)
  const answered = () => props.editor.answer.answered()
  const alertEntries = (): readonly MenuEntry[] => {
    const { editor, saved } = props
    const { spec } = editor.query()
    if (!may(AlertsService.method.create) || editor.missing() || !firstPoint(parseSpec(spec))) return []
    const insight = saved.insight()
    const on = insight && !saved.hasChanges() ? { insight: insight.id } : { spec, name: editor.title() }
    const href = newAlertHref(workspace().project.id, on)
    return [{ label: t('library.setAlert'), icon: () => <Bell />, href }]
  }
  return (
    <PageBar class="insight-head">
      <a class="insight-crumb" href={`/p/${workspace().project.id}/insights`}>
        {t('shell.insights')}
      </a>
      <ChevronRight class="insight-arrow" />
      <InsightName editor={props.editor} />
      <SavedBadge saved={props.saved} />
      <div class="insight-actions">
        <Show when={canAdd()}>
          <Button class="icon-on-phones" icon={<LayoutGrid />} onClick={() => props.onAdd()}>
            {t('insights.addToDashboard')}
          </Button>
        </Show>
        {/* Pages on plain HTTP have no clipboard. */}
        {isSecureContext && (
          <IconButton name={t('common.copyLink')} onClick={() => void copyWithToast(location.href)}>
            <LinkIcon />
          </IconButton>
        )}
        <Menu
          trigger={(attributes) => (
            <IconButton {...attributes} name={t('common.moreActions')}>
              <Ellipsis />
            </IconButton>
          )}
          entries={[
            ...savedEntries(props.saved),
            ...alertEntries(),
            {
              label: t('insights.exportCsv'),
              isDisabled: answered() === undefined,
              onSelect: () => {
                const shown = answered()
                if (shown) saveCsv(shown, workspace().timeZone)
              },
            },
            { label: t('insights.viewJson'), onSelect: () => setJsonOpen(true) },
          ]}
        />
        <SaveButton saved={props.saved} />
      </div>
      <SavedLayers saved={props.saved} />
      <JsonDialog
        text={JSON.stringify(JSON.parse(props.editor.query().spec), undefined, 2)}
        isOpen={isJsonOpen()}
        onClose={() => setJsonOpen(false)}
      />
    </PageBar>
  )
}

/** The name of an insight, which a person can change; without one, the query in words. */
function InsightName(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  const [isEdited, setEdited] = createSignal(false)
  useKeys([{ keys: 'e', label: t('insights.editName'), run: () => setEdited(true) }])
  const finish = (name: string): void => {
    if (!isEdited()) return
    setEdited(false)
    if (name !== editor.state().name) editor.change({ name })
  }
  return (
    <Show
      when={isEdited()}
      fallback={
        <>
          <h1 class="insight-name" title={editor.title()}>
            {editor.title()}
          </h1>
          <IconButton tone="ghost" size="small" name={t('insights.editName')} onClick={() => setEdited(true)}>
            <Pencil />
          </IconButton>
        </>
      }
    >
      <input
        ref={(input) => queueMicrotask(() => input.select())}
        class="ui-input insight-name-field"
        aria-label={t('common.name')}
        maxlength={NAME_LENGTH_MAX}
        value={editor.title()}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Enter') finish(event.currentTarget.value.trim())
          else if (event.key === 'Escape') setEdited(false)
        }}
        onBlur={(event) => finish(event.currentTarget.value.trim())}
      />
    </Show>
  )
}

function JsonDialog(props: {
  readonly text: string
  readonly isOpen: boolean
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      title={t('insights.viewJson')}
      isOpen={props.isOpen}
      onClose={props.onClose}
      foot={
        <Button icon={<Copy />} onClick={() => void copyWithToast(props.text)}>
          {t('ui.copyOf', { name: 'JSON' })}
        </Button>
      }
    >
      <pre class="insight-json" tabindex="0">
        {props.text}
      </pre>
    </Dialog>
  )
}
