import Braces from 'lucide-solid/icons/braces'
import Calendar from 'lucide-solid/icons/calendar'
import History from 'lucide-solid/icons/clock'
import CreditCard from 'lucide-solid/icons/credit-card'
import DoorOpen from 'lucide-solid/icons/door-open'
import Download from 'lucide-solid/icons/download'
import Eye from 'lucide-solid/icons/eye'
import Flag from 'lucide-solid/icons/flag'
import Globe from 'lucide-solid/icons/globe'
import Hash from 'lucide-solid/icons/hash'
import Layers from 'lucide-solid/icons/layers'
import LogIn from 'lucide-solid/icons/log-in'
import LogOut from 'lucide-solid/icons/log-out'
import MessageSquare from 'lucide-solid/icons/message-square'
import MousePointerClick from 'lucide-solid/icons/mouse-pointer-click'
import Play from 'lucide-solid/icons/play'
import Search from 'lucide-solid/icons/search'
import ShoppingBag from 'lucide-solid/icons/shopping-bag'
import ShoppingCart from 'lucide-solid/icons/shopping-cart'
import Target from 'lucide-solid/icons/target'
import ToggleLeft from 'lucide-solid/icons/toggle-left'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import Undo from 'lucide-solid/icons/undo-2'
import User from 'lucide-solid/icons/user'
import UserPlus from 'lucide-solid/icons/user-plus'
import type { JSX } from 'solid-js'
import { type Category, type Entry, isProperty } from './entries.ts'

/** The icon of a category. */
const CATEGORY_ICONS = {
  all: () => <Layers />,
  recent: () => <History />,
  event: () => <MousePointerClick />,
  goal: () => <Target />,
  property: () => <Braces />,
  person: () => <User />,
  page: () => <Globe />,
  visitStart: () => <DoorOpen />,
  firstTouch: () => <Flag />,
} as const satisfies Record<Category, () => JSX.Element>

/** Icons of well-known events, by the first pattern that their name matches. */
const EVENT_ICONS: readonly (readonly [RegExp, () => JSX.Element])[] = [
  [/refund/, () => <Undo />],
  [/^(page|screen)_view|_viewed$/, () => <Eye />],
  [/^sign_?up|^(invite|workspace|chat_member)_/, () => <UserPlus />],
  [/^sign_?in|^log_?in/, () => <LogIn />],
  [/^sign_?out|^log_?out/, () => <LogOut />],
  [/^purchase|^order/, () => <ShoppingBag />],
  [/cart|checkout|coupon|wishlist/, () => <ShoppingCart />],
  [/^(subscription|invoice|payment|trial)_/, () => <CreditCard />],
  [/search/, () => <Search />],
  [/^(chat|support|feedback|survey)_/, () => <MessageSquare />],
  [/^(video|audio)_/, () => <Play />],
  [/download|export/, () => <Download />],
  [/error|crash|failed/, () => <TriangleAlert />],
]

/** The icon of a category. */
export function CategoryIcon(props: { readonly category: Category }): JSX.Element {
  return <>{CATEGORY_ICONS[props.category]()}</>
}

/** The icon of an event, by its name. */
export function EventIcon(props: { readonly event: string }): JSX.Element {
  const icon = (): (() => JSX.Element) | undefined =>
    props.event === '' ? CATEGORY_ICONS.all : EVENT_ICONS.find(([pattern]) => pattern.test(props.event))?.[1]
  return <>{(icon() ?? CATEGORY_ICONS.event)()}</>
}

const TYPE_ICONS = {
  text: undefined,
  number: () => <Hash />,
  date: () => <Calendar />,
  'yes or no': () => <ToggleLeft />,
} as const

/** The icon of an entry of the picker. */
export function EntryIcon(props: { readonly entry: Entry }): JSX.Element {
  const icon = (): JSX.Element => {
    const { entry } = props
    if (entry.kind === 'event') return <EventIcon event={entry.event} />
    if (!isProperty(entry)) return <CategoryIcon category="goal" />
    return (TYPE_ICONS[entry.valueType] ?? CATEGORY_ICONS[entry.kind])()
  }
  return <>{icon()}</>
}
