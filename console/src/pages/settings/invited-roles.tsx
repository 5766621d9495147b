import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { type JSX, Show } from 'solid-js'
import type { RoleName } from '../../context/access.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { MultiCombobox, Select } from '../../ui/combobox.tsx'
import { FieldBox } from '../../ui/input.tsx'
import { roleOptions } from './role-note.tsx'

/** The projects that give an invited user another role than the organisation, and which. */
export interface InvitedRoles {
  readonly projectIds: readonly string[]
  readonly role: RoleName
}

/** Chooses projects, and the role of the invited user in them. */
export function InvitedRolesFields(props: {
  readonly projects: readonly Project[]
  /** A guest of the organisation has no other projects. */
  readonly isGuest: boolean
  readonly value: InvitedRoles
  readonly onChange: (value: InvitedRoles) => void
}): JSX.Element {
  const text = (): string =>
    props.value.projectIds.length === 0
      ? t('settings.inviteNoProject')
      : props.projects
          .filter(({ id }) => props.value.projectIds.includes(id))
          .map(({ displayName }) => displayName)
          .join(', ')
  return (
    <>
      <FieldBox
        label={t('settings.inviteProjects')}
        hint={props.isGuest ? t('settings.inviteProjectsHint') : undefined}
      >
        {(ids) => (
          <MultiCombobox
            label={t('settings.inviteProjects')}
            options={props.projects.map(({ id, displayName }) => ({ value: id, label: displayName }))}
            values={props.value.projectIds}
            onChange={(projectIds) => props.onChange({ ...props.value, projectIds })}
            trigger={(attributes) => (
              <Button
                {...attributes}
                id={ids().id}
                class="ui-select"
                aria-describedby={ids().describedBy}
                aria-label={`${t('settings.inviteProjects')}: ${text()}`}
              >
                <span class="ui-ellipsis">{text()}</span>
                <ChevronsUpDown />
              </Button>
            )}
          />
        )}
      </FieldBox>
      <Show when={props.value.projectIds.length > 0}>
        <Select
          label={t('settings.inviteProjectRole')}
          options={roleOptions()}
          value={props.value.role}
          onChange={(role) => props.onChange({ ...props.value, role })}
        />
      </Show>
    </>
  )
}
