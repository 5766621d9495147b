import type { JSX } from 'solid-js'
import { CheckField, SelectField } from '../ui/field.tsx'
import { type BuilderProps, Fields } from './builder-fields.tsx'
import { GroupFields } from './group-fields.tsx'
import type { InsightType } from './model/draft.ts'
import { INSIGHT_TYPES } from './types/insight-types.ts'

const TYPE_CHOICES = (Object.keys(INSIGHT_TYPES) as InsightType[]).map((value) => ({
  value,
  label: INSIGHT_TYPES[value].label,
}))

/** The form of an insight query, with the fields of its type. */
export function Builder(props: BuilderProps): JSX.Element {
  const { setDraft } = props
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Insight"
        value={props.draft.type}
        choices={TYPE_CHOICES}
        problem={props.problem('spec.insightType')}
        onChange={(type) => setDraft({ type })}
      />
      <Fields {...props} fields={INSIGHT_TYPES[props.draft.type].fields} />
      <GroupFields {...props} />
      <CheckField
        label="Count cookieless visitors"
        isChecked={props.draft.includeCookieless}
        onChange={(includeCookieless) => setDraft({ includeCookieless })}
      />
      <CheckField
        label="Leave out bots"
        isChecked={props.draft.excludeBots}
        onChange={(excludeBots) => setDraft({ excludeBots })}
      />
    </form>
  )
}
