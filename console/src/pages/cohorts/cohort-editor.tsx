import { create, toJsonString } from '@bufbuild/protobuf'
import {
  type Cohort,
  CohortDefinitionSchema,
  StaticCohortSchema,
} from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import { useQuery, useQueryClient } from '@tanstack/solid-query'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { cohortsClient, cohortsKey } from '../../cohorts/cohort-list.ts'
import { useKeys } from '../../context/keys.ts'
import { guardChanges, navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { isNotFound } from '../../rpc/failure.ts'
import { answerOf } from '../../rpc/query-client.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Input } from '../../ui/input.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { keepVersion, type StoredVersion } from '../stored-version.ts'
import { CohortActions } from './cohort-actions.tsx'
import { cohortHref, cohortsHref, type OpenedCohort } from './cohort-address.ts'
import { type DefinitionDraft, decodeDefinition, encodeDefinition, newDefinition } from './cohort-draft.ts'
import { CohortPeople } from './cohort-people.tsx'
import { CohortSample } from './cohort-sample.tsx'
import { ConditionsCard } from './conditions-card.tsx'
import type { CountedPeople } from './count-people.ts'
import { IdsCard } from './ids-card.tsx'
import { createPlaces, UsedByCard } from './used-by-card.tsx'

/** Most characters of a name and of a description. */
const NAME_MAX = 255
const DESCRIPTION_MAX = 1000

/** The editor of a cohort, stored or new. */
export function CohortEditor(props: { readonly opened: OpenedCohort }): JSX.Element {
  const workspace = useWorkspace()
  const id = (): string => ('id' in props.opened ? props.opened.id : '')
  const stored = useQuery(() => ({
    queryKey: ['cohort', workspace().project.id, id()],
    queryFn: async () => (await cohortsClient.get({ id: id() })).cohort ?? null,
    enabled: id() !== '',
    // Read anew whenever the editor opens, which copies it into its form.
    gcTime: 0,
    staleTime: 0,
  }))
  return (
    <Switch fallback={<SkeletonLines count={8} heightPx={28} />}>
      <Match when={'isNew' in props.opened && props.opened}>
        {(opened) => <Editor cohort={undefined} kind={opened().isNew} />}
      </Match>
      <Match when={isNotFound(stored.error)}>
        <EmptyState
          title={t('cohorts.notFound')}
          text={t('cohorts.notFoundText')}
          actions={
            <ButtonLink href={cohortsHref(workspace().project.id)}>{t('cohorts.allCohorts')}</ButtonLink>
          }
        />
      </Match>
      <Match when={answerOf(stored)}>
        {(cohort) => (
          <Editor
            cohort={cohort()}
            kind={cohort().content.case === 'static' ? 'static' : 'dynamic'}
            onChanged={() => void stored.refetch()}
          />
        )}
      </Match>
      <Match when={stored.isError}>
        <ErrorState title={t('cohorts.failed')} error={stored.error} onRetry={() => void stored.refetch()} />
      </Match>
    </Switch>
  )
}

interface EditorProps {
  /** Absent for a new one. */
  readonly cohort: Cohort | undefined
  readonly kind: 'dynamic' | 'static'
  readonly onChanged?: () => void
}

function Editor(props: EditorProps): JSX.Element {
  const workspace = useWorkspace()
  const form = createForm(props)
  const { cohort: stored } = props
  const places = stored && createPlaces(() => stored.id)
  const projectId = (): string => workspace().project.id
  if (form.isEditor())
    useKeys([{ keys: 'mod+s', label: t('common.save'), run: () => form.canSave() && form.save() }])
  const people = (): CountedPeople | undefined => {
    const definition = form.definition()
    if (definition) return { definition }
    return props.cohort ? { cohort: props.cohort } : undefined
  }
  return (
    <div class="cohorts-page" data-page="full">
      <PageBar>
        <nav class="cohorts-crumbs" aria-label={t('people.title')}>
          <a href={`/p/${projectId()}/people`}>{t('people.title')}</a>
          <ChevronRight />
          <a href={cohortsHref(projectId())}>{t('cohorts.title')}</a>
          <ChevronRight />
          <span>{form.name() || t(props.kind === 'static' ? 'cohorts.newList' : 'cohorts.new')}</span>
          <Show when={form.isChanged()}>
            <Badge>{t('cohorts.unsaved')}</Badge>
          </Show>
        </nav>
        <Show when={props.cohort}>
          {(cohort) => <CohortActions cohort={cohort()} places={places?.() ?? []} onDeleted={form.discard} />}
        </Show>
        <Show when={form.isEditor()}>
          <Button
            tone="primary"
            isDisabled={!form.canSave()}
            isLoading={form.action.isRunning()}
            onClick={form.save}
          >
            {t('common.save')}
          </Button>
        </Show>
      </PageBar>
      <Show when={form.action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <div class="cohorts-columns">
        <div class="cohorts-main">
          <Card>
            <Input
              label={t('common.name')}
              value={form.name()}
              maxLength={NAME_MAX}
              readOnly={!form.isEditor()}
              onInput={form.setName}
            />
            <Input
              label={t('cohorts.description')}
              value={form.description()}
              maxLength={DESCRIPTION_MAX}
              readOnly={!form.isEditor()}
              onInput={form.setDescription}
            />
          </Card>
          <Show
            when={props.kind === 'dynamic'}
            fallback={
              <IdsCard
                cohort={props.cohort}
                ids={form.ids()}
                onIds={form.setIds}
                isEditor={form.isEditor()}
                onChanged={() => props.onChanged?.()}
              />
            }
          >
            <ConditionsCard
              draft={form.draft()}
              ownId={props.cohort?.id ?? ''}
              isEditor={form.isEditor()}
              onChange={form.setDraft}
            />
          </Show>
          <UsedByCard places={places?.() ?? []} />
        </div>
        <aside class="cohorts-people">
          <Show when={props.kind === 'dynamic' || props.cohort}>
            <CohortPeople
              people={people()}
              draft={props.kind === 'dynamic' ? form.draft() : undefined}
              cohort={props.cohort}
            />
          </Show>
          <Show when={props.cohort}>{(cohort) => <CohortSample cohort={cohort()} />}</Show>
        </aside>
      </div>
    </div>
  )
}

/** The fields of the editor, and how they are stored. */
function createForm(props: EditorProps) {
  const workspace = useWorkspace()
  const may = useMay()
  const queries = useQueryClient()
  const action = createAction()
  const { cohort } = props
  const storedDefinition = cohort?.content.case === 'definition' ? cohort.content.value : undefined
  const [name, setName] = createSignal(cohort?.name ?? '')
  const [description, setDescription] = createSignal(cohort?.description ?? '')
  // Without a draft the definition has parts that only the API can change, and stays as it is.
  const [draft, setDraft] = createSignal<DefinitionDraft | undefined>(
    storedDefinition ? decodeDefinition(storedDefinition) : newDefinition(),
  )
  const [ids, setIds] = createSignal<readonly string[]>([])
  const [isChanged, setChanged] = createSignal(false)
  const definition = () => {
    if (props.kind === 'static') return undefined
    const shown = draft()
    return shown ? encodeDefinition(shown) : storedDefinition
  }
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      setChanged(true)
      set(value)
    }
  const version = cohort && versionOf(cohort)
  guardChanges(() => isChanged() && !action.isRunning())
  const store = async (): Promise<Cohort | undefined> => {
    const fields = { name: name().trim(), description: description().trim() }
    const now = definition()
    if (cohort) {
      const update = { ...fields, id: cohort.id, ...(now && { definition: now }) }
      return (await cohortsClient.update(update)).cohort
    }
    const content = now
      ? ({ case: 'definition', value: now } as const)
      : ({ case: 'static', value: create(StaticCohortSchema, { ids: [...ids()] }) } as const)
    return (await cohortsClient.create({ ...fields, content })).cohort
  }
  const save = (): void =>
    action.run(async () => {
      await version?.check()
      const saved = await store()
      if (saved) version?.accept(saved)
      setChanged(false)
      showToast({ text: t('cohorts.saved'), tone: 'good' })
      const projectId = workspace().project.id
      void queries.invalidateQueries({ queryKey: cohortsKey(projectId) })
      void queries.invalidateQueries({ queryKey: ['cohorts-of', projectId] })
      if (saved && !cohort) navigate(cohortHref(projectId, saved.id), 'replace')
      else props.onChanged?.()
    })
  return {
    name,
    setName: changing<string>(setName),
    description,
    setDescription: changing<string>(setDescription),
    draft,
    setDraft: changing<DefinitionDraft>((changed) => void setDraft(changed)),
    ids,
    setIds: changing<readonly string[]>((changed) => void setIds(changed)),
    definition,
    isChanged,
    isEditor: () => may(cohort ? CohortsService.method.update : CohortsService.method.create),
    canSave: () =>
      name().trim() !== '' && isChanged() && (props.kind === 'static' || definition() !== undefined),
    action,
    save,
    discard: (): void => void setChanged(false),
  }
}

function versionOf(cohort: Cohort): StoredVersion<Cohort> {
  return keepVersion(cohort, {
    read: async () => (await cohortsClient.get({ id: cohort.id })).cohort,
    textOf: ({ name, description, content }) => {
      const definition =
        content.case === 'definition' ? toJsonString(CohortDefinitionSchema, content.value) : ''
      return [name, description, definition].join('\n')
    },
  })
}
