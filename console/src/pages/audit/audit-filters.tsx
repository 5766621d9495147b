import type { AuditEntry } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { writeDatePeriod } from '@domain/date-periods.ts'
import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import { replaceParameters } from '../../context/router.ts'
import { t } from '../../i18n/translate.ts'
import { ChipPart, FilterChip } from '../../ui/chip.tsx'
import { Select } from '../../ui/combobox.tsx'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { createActors } from './audit-actors.ts'
import type { AuditView, NO_FILTERS } from './audit-view.ts'
import { actionOptions } from './audit-words.ts'

/** A filter changes what is listed: another page, and no open entry. */
function filterBy(changed: Partial<Record<keyof typeof NO_FILTERS, string>>): void {
  replaceParameters({ ...changed, entry: '' })
}

/** What the list shows; in the address, so that a link has it too. */
export function AuditFilters(props: {
  readonly view: AuditView
  readonly entries: readonly AuditEntry[]
  readonly today: string
}): JSX.Element {
  const actors = createActors(props)
  const [object, setObject] = createSignal('')
  createEffect(() => setObject(props.view.object))
  const filterByObject = (): void => {
    if (object().trim() !== props.view.object) filterBy({ object: object().trim() })
  }
  return (
    <div class="audit-filters">
      <Select
        label={t('audit.who')}
        labelDisplay="hidden"
        value={props.view.actor}
        options={[{ value: '', label: t('audit.anyone') }, ...actors.options()]}
        onSearch={actors.search()}
        isLoading={actors.isLoading()}
        onChange={(actor) => filterBy({ actor })}
      />
      <Select
        label={t('audit.action')}
        labelDisplay="hidden"
        value={props.view.action}
        options={[{ value: '', label: t('audit.anyAction') }, ...actionOptions()]}
        onChange={(action) => filterBy({ action })}
      />
      <SearchInput
        class="audit-object"
        label={t('audit.objectId')}
        placeholder={t('audit.objectId')}
        value={object()}
        maxlength={300}
        onInput={setObject}
        onKeyDown={(event) => {
          if (event.key === 'Enter') filterByObject()
        }}
        onBlur={filterByObject}
      />
      <DateRangePicker
        period={props.view.period}
        today={props.today}
        onChange={(period) => filterBy({ period: period === 'all-time' ? '' : writeDatePeriod(period) })}
      />
      <Show when={props.view.credential}>
        {(credential) => (
          <FilterChip
            name={t('audit.onlyCredential', { id: credential() })}
            onRemove={() => filterBy({ credential: '' })}
          >
            <ChipPart part="value" disabled>
              {t('audit.onlyCredential', { id: credential() })}
            </ChipPart>
          </FilterChip>
        )}
      </Show>
    </div>
  )
}
