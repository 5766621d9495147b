import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { createPaging, Pager, type Paging } from '../../people/paged-list.tsx'
import '../../people/people.css'
import { SearchInput } from '../../ui/input.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Members on a page: each row has a menu of roles. */
const MEMBERS_PER_PAGE = 50

/** A pause in typing after which the service searches. */
const TYPING_MS = 250

/** Which page of members is shown. */
export interface MemberList {
  readonly paging: Paging
  /** The text that members are searched for. */
  readonly search: () => string
  readonly type: (text: string) => void
}

/** Starts at the first page of all members. */
export function createMemberList(): MemberList {
  const paging = createPaging()
  const [search, setSearch] = createSignal('')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const type = (text: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      paging.reset()
      setSearch(text.trim())
    }, TYPING_MS)
  }
  return { paging, search, type }
}

/** What a request for the shown page says. */
export function pageOf({ paging, search }: MemberList) {
  return { pageSize: MEMBERS_PER_PAGE, pageToken: paging.token(), search: search() }
}

/** A page of members between a search field and the buttons to other pages, which a single page needs not. */
export function PagedMembers(props: {
  readonly list: MemberList
  readonly shown: number
  readonly nextToken: string
  readonly children: JSX.Element
}): JSX.Element {
  const isPaged = (): boolean => props.nextToken !== '' || props.list.paging.index() > 0
  const hasSearch = (): boolean => isPaged() || props.list.search() !== ''
  return (
    <>
      <Show when={hasSearch()}>
        <div class="settings-pad">
          <SearchInput
            label={t('settings.searchMembers')}
            placeholder={t('settings.searchMembers')}
            maxlength={255}
            onInput={props.list.type}
          />
        </div>
      </Show>
      <Show
        when={props.shown > 0}
        fallback={<EmptyState title={t('ui.noMatch', { text: props.list.search() })} />}
      >
        {props.children}
      </Show>
      <Show when={isPaged()}>
        <Pager
          paging={props.list.paging}
          pageSize={MEMBERS_PER_PAGE}
          shown={props.shown}
          total={undefined}
          nextToken={props.nextToken}
        />
      </Show>
    </>
  )
}
