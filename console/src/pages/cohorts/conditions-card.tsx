import '../../picker/messages.ts'
import Brackets from 'lucide-solid/icons/brackets'
import Plus from 'lucide-solid/icons/plus'
import { Index, type JSX, Show } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { t } from '../../i18n/translate.ts'
import { seriesLetter } from '../../insights/model/series.ts'
import { createCatalog } from '../../picker/catalog.ts'
import type { Logic } from '../../picker/filter-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import {
  type ConditionDraft,
  type DefinitionDraft,
  type GroupOfConditions,
  newCondition,
  type RowDraft,
} from './cohort-draft.ts'
import { type ConditionParts, ConditionRow } from './condition-row.tsx'

/** Most conditions of a definition; the service refuses more. */
const CONDITIONS_MAX = 50

const KINDS = [
  'performed',
  'first',
  'property',
  'cohort',
] as const satisfies readonly ConditionDraft['kind'][]

const KIND_NAMES = {
  performed: 'cohorts.performed',
  first: 'cohorts.first',
  property: 'cohorts.property',
  cohort: 'cohorts.inCohort',
} as const satisfies Record<ConditionDraft['kind'], string>

/** The conditions of a cohort: rows, and groups of rows. */
export function ConditionsCard(props: {
  /** Absent for a definition that the editor cannot show. */
  readonly draft: DefinitionDraft | undefined
  /** The id of the cohort itself, which cannot be in it; empty for a new one. */
  readonly ownId: string
  readonly isEditor: boolean
  readonly onChange: (draft: DefinitionDraft) => void
}): JSX.Element {
  const catalog = createCatalog()
  const list = createCohortList()
  const parts = (): ConditionParts => ({
    catalog,
    cohorts: (list.cohorts() ?? []).filter(({ id }) => id !== props.ownId),
  })
  return (
    <Card
      title={t('cohorts.conditions')}
      actions={
        <Show when={props.isEditor && props.draft}>
          {(draft) => (
            <MatchControl
              value={draft().operator}
              onChange={(operator) => props.onChange({ ...draft(), operator })}
            />
          )}
        </Show>
      }
    >
      <Show when={props.draft} fallback={<p>{t('cohorts.advanced')}</p>}>
        {(draft) => (
          <fieldset class="cohorts-conditions" disabled={!props.isEditor}>
            <Rows
              parts={parts()}
              rows={draft().rows}
              logic={draft().operator}
              onChange={(rows) => props.onChange({ ...draft(), rows })}
            />
            <Show when={props.isEditor && countOf(draft()) < CONDITIONS_MAX}>
              <div class="cohorts-add">
                <AddCondition onAdd={(row) => props.onChange({ ...draft(), rows: [...draft().rows, row] })} />
                <Button
                  icon={<Brackets />}
                  onClick={() => props.onChange({ ...draft(), rows: [...draft().rows, newGroup()] })}
                >
                  {t('cohorts.addGroup')}
                </Button>
              </div>
            </Show>
          </fieldset>
        )}
      </Show>
    </Card>
  )
}

function countOf({ rows }: DefinitionDraft): number {
  return rows.reduce((count, row) => count + (row.kind === 'group' ? row.conditions.length : 1), 0)
}

function newGroup(): GroupOfConditions {
  return { kind: 'group', operator: 'LOGICAL_OPERATOR_OR', conditions: [newCondition('performed')] }
}

function MatchControl(props: {
  readonly value: Logic
  readonly onChange: (operator: Logic) => void
}): JSX.Element {
  return (
    <SegmentedControl
      label={t('cohorts.match')}
      choices={[
        { value: 'LOGICAL_OPERATOR_AND', label: t('cohorts.matchAll') },
        { value: 'LOGICAL_OPERATOR_OR', label: t('cohorts.matchAny') },
      ]}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

function AddCondition(props: { readonly onAdd: (condition: ConditionDraft) => void }): JSX.Element {
  return (
    <Menu
      trigger={(attributes) => (
        <Button {...attributes} icon={<Plus />}>
          {t('cohorts.addCondition')}
        </Button>
      )}
      entries={KINDS.map((kind) => ({
        label: t(KIND_NAMES[kind]),
        onSelect: () => props.onAdd(newCondition(kind)),
      }))}
    />
  )
}

function Joint(props: { readonly logic: Logic }): JSX.Element {
  return (
    <span class="ui-chip-joint">{t(props.logic === 'LOGICAL_OPERATOR_OR' ? 'picker.or' : 'picker.and')}</span>
  )
}

function Rows(props: {
  readonly parts: ConditionParts
  readonly rows: readonly RowDraft[]
  readonly logic: Logic
  readonly onChange: (rows: readonly RowDraft[]) => void
}): JSX.Element {
  return (
    <Index each={props.rows}>
      {(row, at) => (
        <>
          <Show when={at > 0}>
            <Joint logic={props.logic} />
          </Show>
          <Row
            parts={props.parts}
            row={row()}
            letter={seriesLetter(at)}
            onChange={(changed) => props.onChange(props.rows.with(at, changed))}
            onRemove={props.rows.length > 1 ? () => props.onChange(props.rows.toSpliced(at, 1)) : undefined}
          />
        </>
      )}
    </Index>
  )
}

function Row(props: {
  readonly parts: ConditionParts
  readonly row: RowDraft
  readonly letter: string
  readonly onChange: (row: RowDraft) => void
  readonly onRemove: (() => void) | undefined
}): JSX.Element {
  const group = (): GroupOfConditions | undefined => (props.row.kind === 'group' ? props.row : undefined)
  return (
    <Show when={group()} fallback={<ConditionRow {...props} condition={props.row as ConditionDraft} />}>
      {(shown) => <Group {...props} group={shown()} />}
    </Show>
  )
}

/** Conditions with their own operator, in a frame. */
function Group(props: {
  readonly parts: ConditionParts
  readonly group: GroupOfConditions
  readonly letter: string
  readonly onChange: (group: RowDraft) => void
  readonly onRemove: (() => void) | undefined
}): JSX.Element {
  const change = (conditions: readonly ConditionDraft[]): void => {
    if (conditions.length > 0) props.onChange({ ...props.group, conditions })
    else props.onRemove?.()
  }
  const letterOf = (at: number): string => `${props.letter}${at + 1}`
  return (
    <section class="cohorts-group">
      <MatchControl
        value={props.group.operator}
        onChange={(operator) => props.onChange({ ...props.group, operator })}
      />
      <Index each={props.group.conditions}>
        {(condition, at) => (
          <>
            <Show when={at > 0}>
              <Joint logic={props.group.operator} />
            </Show>
            <ConditionRow
              parts={props.parts}
              condition={condition()}
              letter={letterOf(at)}
              onChange={(changed) => change(props.group.conditions.with(at, changed))}
              onRemove={() => change(props.group.conditions.toSpliced(at, 1))}
            />
          </>
        )}
      </Index>
      <div class="cohorts-add">
        <AddCondition onAdd={(added) => change([...props.group.conditions, added])} />
      </div>
    </section>
  )
}
