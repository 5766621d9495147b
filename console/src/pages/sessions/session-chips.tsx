import '../../picker/messages.ts'
import { useQuery } from '@tanstack/solid-query'
import { type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { namePerson } from '../../people/person-name.ts'
import { readPerson } from '../../people/read-person.ts'
import { createCatalog } from '../../picker/catalog.ts'
import { FilterChips as PropertyChips } from '../../picker/filter-chips.tsx'
import { ChipPart, FilterChip } from '../../ui/chip.tsx'
import { FilterChips } from '../overview/filter-chips.tsx'
import type { SessionConditions } from './session-conditions.ts'

/** The conditions of the list as chips: on the session, on its person, and on the properties of its events. */
export function SessionChips(props: { readonly conditions: SessionConditions }): JSX.Element {
  const catalog = createCatalog()
  return (
    <div class="session-chips">
      <Show when={props.conditions.personId()} keyed>
        {(id) => <PersonChip id={id} onRemove={props.conditions.clearPerson} />}
      </Show>
      <FilterChips />
      <PropertyChips
        catalog={catalog}
        filters={props.conditions.drafts()}
        label={t('picker.eventProperties')}
        addName={t('picker.eventProperty')}
        onChange={props.conditions.setDrafts}
      />
    </div>
  )
}

function PersonChip(props: { readonly id: string; readonly onRemove: () => void }): JSX.Element {
  const workspace = useWorkspace()
  // A visitor who was never identified has no profile: the ID is the name.
  const person = useQuery(() => ({
    queryKey: ['person', workspace().project.id, `user:${props.id}`],
    queryFn: async () => (await readPerson(`user:${props.id}`)) ?? null,
    retry: false,
  }))
  const name = (): string => {
    const known = person.isSuccess ? person.data?.profile : undefined
    return namePerson(known ?? { id: props.id, externalId: '' }).name
  }
  return (
    <FilterChip
      name={`${t('people.person')} ${name()}`}
      removeName={t('overview.removeFilter', { filter: name() })}
      onRemove={props.onRemove}
    >
      <ChipPart part="property" disabled>
        {t('people.person')}
      </ChipPart>
      <ChipPart part="value" disabled>
        {name()}
      </ChipPart>
    </FilterChip>
  )
}
