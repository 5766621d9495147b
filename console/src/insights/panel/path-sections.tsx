import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { Index, type JSX, Match, Switch } from 'solid-js'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input } from '../../ui/input.tsx'
import { type AnchorDraft, type DraftOf, newEvent, type PathRuleDraft } from '../model/draft.ts'
import { EventLine } from './event-rows.tsx'
import { PanelSection } from './panel-section.tsx'

/** Most rules of a query. */
const RULES_MAX = 20

/** Where paths start and end, and how the values on them are rewritten. */
export function PathSections(props: {
  readonly catalog: Catalog
  readonly part: DraftOf<'INSIGHT_TYPE_USER_FLOW'>
  readonly onChange: (part: DraftOf<'INSIGHT_TYPE_USER_FLOW'>) => void
}): JSX.Element {
  return (
    <>
      <AnchorSection
        catalog={props.catalog}
        title={t('insights.startAt')}
        anywhere="insights.startAnywhere"
        anchor={props.part.startAt}
        onChange={(startAt) => props.onChange({ ...props.part, startAt })}
      />
      <AnchorSection
        catalog={props.catalog}
        title={t('insights.endAt')}
        anywhere="insights.endAnywhere"
        anchor={props.part.endAt}
        onChange={(endAt) => props.onChange({ ...props.part, endAt })}
      />
      <RulesSection rules={props.part.rules} onChange={(rules) => props.onChange({ ...props.part, rules })} />
    </>
  )
}

type AnchorKind = 'none' | AnchorDraft['of']

/** The anchor that a choice begins with. */
const NEW_ANCHORS = {
  none: () => undefined,
  event: () => ({ of: 'event', event: newEvent() }),
  node: () => ({ of: 'node', node: '' }),
} as const satisfies Record<AnchorKind, () => AnchorDraft | undefined>

function AnchorSection(props: {
  readonly catalog: Catalog
  readonly title: string
  readonly anywhere: NameKey
  readonly anchor: AnchorDraft | undefined
  readonly onChange: (anchor: AnchorDraft | undefined) => void
}): JSX.Element {
  const event = () => (props.anchor?.of === 'event' ? props.anchor.event : undefined)
  const node = () => (props.anchor?.of === 'node' ? props.anchor : undefined)
  const names = (): Record<AnchorKind, NameKey> => ({
    none: props.anywhere,
    event: 'insights.event',
    node: 'insights.pathValue',
  })
  return (
    <PanelSection title={props.title}>
      <Select
        label={props.title}
        labelDisplay="hidden"
        value={props.anchor?.of ?? 'none'}
        options={(Object.keys(names()) as AnchorKind[]).map((value) => ({ value, label: t(names()[value]) }))}
        onChange={(kind) => props.onChange(NEW_ANCHORS[kind]())}
      />
      <Switch>
        <Match when={event()}>
          {(row) => (
            <EventLine
              catalog={props.catalog}
              name={props.title}
              row={row()}
              onChange={(changed) => props.onChange({ of: 'event', event: changed })}
            />
          )}
        </Match>
        <Match when={node()}>
          {(chosen) => (
            <Input
              label={t('insights.pathValue')}
              labelDisplay="hidden"
              placeholder="/pricing"
              value={chosen().node}
              onChange={(text) => props.onChange({ of: 'node', node: text })}
            />
          )}
        </Match>
      </Switch>
    </PanelSection>
  )
}

function RulesSection(props: {
  readonly rules: readonly PathRuleDraft[]
  readonly onChange: (rules: readonly PathRuleDraft[]) => void
}): JSX.Element {
  const change = (at: number, rule: PathRuleDraft): void => props.onChange(props.rules.with(at, rule))
  return (
    <PanelSection title={t('insights.pathRules')}>
      <Index each={props.rules}>
        {(rule, at) => (
          <div class="query-rule">
            <Input
              label={t('insights.pattern', { number: at + 1 })}
              labelDisplay="hidden"
              placeholder="^/products/[^/]+"
              value={rule().pattern}
              onChange={(pattern) => change(at, { ...rule(), pattern })}
            />
            <Input
              label={t('insights.replacement', { number: at + 1 })}
              labelDisplay="hidden"
              placeholder="/products/*"
              value={rule().replacement}
              onChange={(replacement) => change(at, { ...rule(), replacement })}
            />
            <IconButton
              tone="ghost"
              size="small"
              name={t('insights.removeRule', { number: at + 1 })}
              onClick={() => props.onChange(props.rules.toSpliced(at, 1))}
            >
              <X />
            </IconButton>
          </div>
        )}
      </Index>
      <Button
        size="small"
        icon={<Plus />}
        class="query-add"
        isDisabled={props.rules.length >= RULES_MAX}
        onClick={() => props.onChange([...props.rules, { pattern: '', replacement: '' }])}
      >
        {t('insights.addRule')}
      </Button>
      <p class="query-hint">{t('insights.pathRulesHint')}</p>
    </PanelSection>
  )
}
