import { type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'

/** The name and the address of a member. */
export function MemberName(props: {
  readonly member: { readonly displayName: string; readonly email: string }
  readonly isSelf: boolean
}): JSX.Element {
  return (
    <span class="settings-person">
      <Avatar id={props.member.email} name={props.member.displayName || props.member.email} />
      <span class="settings-person-names">
        <Show when={props.member.displayName}>{(name) => <span class="ui-ellipsis">{name()}</span>}</Show>
        <span class={props.member.displayName ? 'settings-quiet ui-ellipsis' : 'ui-ellipsis'}>
          {props.member.email}
        </span>
      </span>
      <Show when={props.isSelf}>
        <Badge tone="accent">{t('settings.you')}</Badge>
      </Show>
    </span>
  )
}
